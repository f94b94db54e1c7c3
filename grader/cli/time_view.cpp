// Where a modelled kernel's time goes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "cli/check_view.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {

namespace {

constexpr double least_shown = 0.03;  // of the warps' time

// Nsight Compute's stall reasons ("Warp Stall Reasons" in its guide), with what a student calls them.
const std::map<std::string, std::string>& stall_meanings() {
    static const std::map<std::string, std::string> meanings{
        {"selected", "issues an instruction"},
        {"not_selected", "ready, but another warp issues"},
        {"wait", "for the result of the instruction before"},
        {"long_scoreboard", "for global memory"},
        {"short_scoreboard", "for shared memory, a shuffle or threadIdx"},
        {"barrier", "for the other warps at __syncthreads"},
        {"lg_throttle", "to put one more global access into the queue"},
        {"mio_throttle", "for the queue of shared memory, shuffles, threadIdx"},
        {"drain", "for its stores to leave, at its end"},
    };
    return meanings;
}

}  // namespace

std::string limit_text(const Bandwidth& b) {
    std::string text = b.limiter;
    if (b.limiter_line > 0) text += fmt::format(" (line {})", b.limiter_line);
    const double gain = b.gain_without_limit, least_known = 1.05;
    if (gain <= least_known) return text;
    text += gain < 10 ? fmt::format("; without it {:.1f} times as fast", gain)
                      : fmt::format("; without it about {:.0f} times as fast", gain);
    // Less than half of the way to the reference, in factors.
    const double behind = b.share_of_reference > 0 ? 1 / b.share_of_reference : 1;
    if (behind > 2 && gain * gain < behind)
        text += fmt::format(", but the reference is {:.{}f} times as fast: this limit explains only a part of that",
                            behind, behind < 10 ? 1 : 0);
    return text;
}

std::string rate_text(const Bandwidth& b) {
    return b.yardstick == Yardstick::compute ? fmt::format("{:.3g}", b.rate()) : fmt::format("{:.0f}", b.rate());
}

std::string modelled_text(const Bandwidth& b) {
    std::string text = b.modelled_gpu.empty() ? "modelled" : "modelled for " + b.modelled_gpu;
    text += ", not measured";
    if (b.error_band > 0) text += fmt::format("; times may be {:.0f} % off", 100 * b.error_band);
    if (b.is_capped)
        text += fmt::format("; the model is faster than the {0}, so the {0}'s time is shown", words_of(b.yardstick));
    return text;
}

std::string render_time(const Bandwidth& b, const RenderStyle& style) {
    std::string what = fmt::format("{:.1f} us on {}, {} {}", b.seconds * 1e6, b.shape, rate_text(b), b.rate_unit());
    if (b.is_launching) what = fmt::format("{:.1f} us on {}", b.seconds * 1e6, b.shape);
    if (b.copy_gb_per_s > 0 && !b.is_launching)
        what += fmt::format(", {:.0f} % of the {}", 100 * b.gb_per_s / b.copy_gb_per_s, words_of(b.yardstick));
    std::string out = "\n" + labelled("time", escape(what + "; " + modelled_text(b)), style);
    if (b.error_rows > 0)
        out += labelled("error",
                        escape(fmt::format("of {} modelled times of such kernels, compared with this GPU's, half were "
                                           "at most {:.0f} % off and nine of ten at most {:.0f} %",
                                           b.error_rows, 100 * b.error_median, 100 * b.error_nine_of_ten)),
                        style);
    out += labelled("limit", escape(limit_text(b)), style);
    if (!b.stalls.empty())
        out +=
            "\nwhat warps wait for, by Nsight Compute's stall reasons; while one waits others\n"
            "work, so what a change would gain is not said here, but by `limit`\n";
    std::vector<std::pair<std::string, double>> stalls(b.stalls.begin(), b.stalls.end());
    std::sort(stalls.begin(), stalls.end(), [](const auto& x, const auto& y) { return x.second > y.second; });
    for (const auto& [reason, share] : stalls) {
        if (share < least_shown) continue;
        const auto meaning = stall_meanings().find(reason);
        out += fmt::format("{:>5.0f} %  {:<17} {}\n", 100 * share, reason,
                           meaning == stall_meanings().end() ? "" : meaning->second);
    }
    return out;
}

}  // namespace warpgrade::cli
