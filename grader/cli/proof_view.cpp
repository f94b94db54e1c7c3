#include "cli/proof_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/check_view.hpp"
#include "cli/table.hpp"

namespace warpgrade::cli {
namespace {

std::string lines_text(const std::vector<int>& lines) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < lines.size() && i < most; ++i)
        if (lines[i] > 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", lines[i]);
    return lines.size() > most ? text + ", ..." : text;
}

std::string claim_text(const proof::Claim& claim, const RenderStyle& style) {
    if (!claim.was_tried) return wrap_after("  ", "not proved here: " + claim.why_not, style.columns);
    Table table({{"obligation"}, {""}, {"what it says", false, true}, {"lines"}}, 2);
    for (const proof::Row& row : claim.rows)
        table.add({{std::string(proof::to_string(row.what))},
                   {row.is_proved ? "proved" : "open", row.is_proved ? Paint::green : Paint::yellow},
                   {std::string(proof::meaning(row.what))},
                   {lines_text(row.lines)}});
    std::string out = table.text(style);
    for (const proof::Row& row : claim.rows)
        if (!row.is_proved)
            out += wrap_after(fmt::format("  {}: ", proof::to_string(row.what)),
                              row.why + (row.line > 0 ? fmt::format(", line {}", row.line) : ""), style.columns);
    return out;
}

std::string index_text(const std::array<std::int64_t, 3>& index) {
    return fmt::format("({},{},{})", index[0], index[1], index[2]);
}

// The block of the first thread, a sign for each thread: # the thread, o the other one where it is of the same block.
std::string block_picture(const proof::Witness& witness) {
    constexpr std::int64_t most_wide = 64, most_high = 16;
    const proof::Witness::Thread& one = witness.threads.front();
    const proof::Witness::Thread* const other =
        witness.threads.size() > 1 && witness.threads[1].block == one.block ? &witness.threads[1] : nullptr;
    std::string out;
    const std::int64_t first = std::max<std::int64_t>(0, one.thread[1] - most_high + 1);
    const std::int64_t left = one.thread[0] / most_wide * most_wide;
    for (std::int64_t y = first; y < std::min(witness.block[1], first + most_high); ++y) {
        out += fmt::format("  y {:>3}  ", y);
        for (std::int64_t x = left; x < std::min(witness.block[0], left + most_wide); ++x) {
            const std::array<std::int64_t, 3> here{x, y, one.thread[2]};
            out += here == one.thread ? '#' : other != nullptr && here == other->thread ? 'o' : '.';
        }
        out += "\n";
    }
    return out;
}

std::string witness_text(const proof::Witness& witness, const RenderStyle& style) {
    std::string out =
        wrap_after("",
                   fmt::format("`{}` may fail on {}{}", proof::to_string(witness.what), fmt::join(witness.shape, " x "),
                               witness.line > 0 ? fmt::format(", line {}", witness.line) : ""),
                   style.columns);
    if (witness.threads.empty()) return out;
    const proof::Witness::Thread& one = witness.threads.front();
    std::string threads = fmt::format("# thread {} of block {}", index_text(one.thread), index_text(one.block));
    if (witness.threads.size() > 1)
        threads += fmt::format("; o thread {} of block {}", index_text(witness.threads[1].thread),
                               index_text(witness.threads[1].block));
    return out + wrap_after("  ", threads, style.columns) + block_picture(witness);
}

// What is not confirmed is no fault.
std::string refutation_text(const ProvedType& one, const RenderStyle& style) {
    if (one.claim.witnesses.empty()) return "";
    std::string out = "\n";
    for (const proof::Witness& witness : one.claim.witnesses)
        if (!one.refuted || witness.what == one.refuted->what) {
            out += witness_text(witness, style);
            break;
        }
    if (!one.refuted)
        return out + wrap_after("", "the virtual GPU finds nothing wrong in what it can run of this shape: not proved",
                                style.columns);
    return out + (one.refuted->is_run ? "run on the virtual GPU:\n" : "a part of it, run on the virtual GPU:\n") +
           render_findings({one.refuted->finding}, 1, style);
}

}  // namespace

std::string render_proof(const std::vector<ProvedType>& proved, const RenderStyle& style) {
    std::string out;
    for (const ProvedType& one : proved) {
        if (proved.size() > 1) out += fmt::format("\nelements of type {}\n", escape(one.type));
        out += "\n" + claim_text(one.claim, style) + refutation_text(one, style);
    }
    const proof::Claim& claim = weakest(proved).claim;
    out += "\n" + wrap_after("", proof::line_of(claim), style.columns);
    if (claim.was_tried)
        out += wrap_after("", fmt::format("assumed: {}", fmt::join(claim.assumptions, "; ")), style.columns);
    return out;
}

}  // namespace warpgrade::cli
