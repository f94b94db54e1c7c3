#include "cli/explain_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "cli/excerpt.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {
namespace {

using vgpu::Counters;
using Field = std::uint64_t Counters::*;

struct Kind {
    const char* access;
    const char* unit;
    Field requests;
    Field units;
    Field ideal;
};

constexpr std::array kinds{
    Kind{"global load", "sector", &Counters::global_load_requests, &Counters::global_load_sectors,
         &Counters::global_load_sectors_ideal},
    Kind{"global store", "sector", &Counters::global_store_requests, &Counters::global_store_sectors,
         &Counters::global_store_sectors_ideal},
    Kind{"global atomic", "sector", &Counters::global_atomic_requests, &Counters::global_atomic_sectors, nullptr},
    Kind{"wide copy", "sector", &Counters::wide_copy_requests, &Counters::wide_copy_sectors,
         &Counters::wide_copy_sectors_ideal},
    Kind{"copy to shared", "wavefront", &Counters::async_copy_requests, &Counters::async_copy_wavefronts,
         &Counters::async_copy_wavefronts_ideal},
    Kind{"bulk load", "sector", &Counters::bulk_load_requests, &Counters::bulk_load_sectors, nullptr},
    Kind{"bulk store", "sector", &Counters::bulk_store_requests, &Counters::bulk_store_sectors, nullptr},
    Kind{"shared load", "wavefront", &Counters::shared_load_requests, &Counters::shared_load_wavefronts,
         &Counters::shared_load_wavefronts_ideal},
    Kind{"shared store", "wavefront", &Counters::shared_store_requests, &Counters::shared_store_wavefronts,
         &Counters::shared_store_wavefronts_ideal},
    Kind{"shared atomic", "wavefront", &Counters::shared_atomic_requests, &Counters::shared_atomic_wavefronts, nullptr},
    Kind{"local", "", &Counters::local_requests, nullptr, nullptr},
    // No access: of a right program nothing else shows where it computes in double precision.
    Kind{"double math", "", &Counters::double_instructions, nullptr, nullptr},
};

std::string source_line(const std::vector<std::string>& source, int line, int columns) {
    if (line < 1 || line > static_cast<int>(source.size())) return "(no source line is known)";
    std::string text = show_source_line(source[static_cast<std::size_t>(line - 1)]).text;
    text.erase(0, std::min(text.size(), text.find_first_not_of(' ')));
    return cut(text, columns);
}

std::string heading(int line, const std::vector<std::string>& source, const RenderStyle& style) {
    const std::string edge = fmt::format("{:>4} | ", line > 0 ? std::to_string(line) : "?");
    return paint(edge, Paint::blue, style) + source_line(source, line, style.columns - display_width(edge)) + "\n";
}

double ratio(std::uint64_t a, std::uint64_t b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }

// Accesses of one line to one memory, of which one is drawn.
struct AccessGroup {
    const vgpu::Access* shown;  // the dearest; of these the one with the most lanes, then the first
    int count = 1;
    bool are_alike = true;  // all cost the same
};

std::vector<AccessGroup> groups_of(const std::vector<vgpu::Access>& trace, int line) {
    std::vector<AccessGroup> groups;
    for (const vgpu::Access& access : trace) {
        if (line > 0 && access.line != line) continue;
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const AccessGroup& g) {
            return g.shown->line == access.line && g.shown->kind == access.kind && g.shown->space == access.space &&
                   g.shown->buffer == access.buffer;
        });
        if (same == groups.end()) {
            groups.push_back({&access});
            continue;
        }
        ++same->count;
        same->are_alike &= access.units == same->shown->units;
        const auto rank = [](const vgpu::Access& a) { return std::pair(a.units, std::popcount(a.mask)); };
        if (rank(access) > rank(*same->shown)) same->shown = &access;
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const AccessGroup& a, const AccessGroup& b) { return a.shown->line < b.shown->line; });
    return groups;
}

// A later launch may have other arguments for the names of the line: `in` is what the first one wrote.
std::string in_launch(std::string picture, std::size_t index, const std::vector<std::size_t>& launch_ends) {
    const auto launch = std::upper_bound(launch_ends.begin(), launch_ends.end(), index) - launch_ends.begin();
    if (launch > 0) picture.insert(picture.find_first_not_of(' '), fmt::format("in launch {}, ", launch + 1));
    return picture;
}

}  // namespace

std::vector<Traffic> traffic_by_line(const std::vector<vgpu::LineCounters>& by_line) {
    std::vector<Traffic> all;
    std::map<std::string, std::uint64_t> totals;
    for (const vgpu::LineCounters& one : by_line) {
        for (const Kind& kind : kinds) {
            Traffic traffic{one.line, kind.access, kind.unit, one.counters.*kind.requests};
            if (traffic.requests == 0) continue;
            if (kind.units != nullptr) traffic.units = one.counters.*kind.units;
            if (kind.ideal != nullptr) traffic.units_ideal = one.counters.*kind.ideal;
            totals[traffic.unit] += traffic.units;
            all.push_back(traffic);
        }
    }
    for (Traffic& traffic : all) traffic.share = ratio(traffic.units, totals[traffic.unit]);
    return all;
}

std::string render_traffic(const std::vector<Traffic>& traffic, const std::vector<std::string>& source, int line,
                           const RenderStyle& style) {
    std::string out;
    int shown_line = -1;
    for (const Traffic& one : traffic) {
        if (line > 0 && one.line != line) continue;
        if (out.empty())
            out = paint(fmt::format("line   {:<13}  {:>10}  {:>16}  {:>7}  {}", "access", "requests", "each", "at best",
                                    "share of all"),
                        Paint::dim, style) +
                  "\n";
        if (one.line != shown_line) out += heading(one.line, source, style);
        shown_line = one.line;
        std::string each, best, share;
        bool is_bad = false;
        if (!one.unit.empty()) {
            const double per_request = ratio(one.units, one.requests);
            each = fmt::format("{} {}{}", number(per_request), one.unit, per_request == 1 ? "" : "s");
            share = fmt::format("{:.0f} % of {}s", 100 * one.share, one.unit);
        }
        if (one.units_ideal > 0) {
            best = number(ratio(one.units_ideal, one.requests));
            is_bad = one.units > one.units_ideal + one.units_ideal / 20;
        }
        const std::string row = fmt::format("       {:<13}  {:>10}  ", one.access, grouped(one.requests));
        std::string rest = pad_left(each, 16);
        if (is_bad) rest = paint(rest, Paint::yellow, style);
        out += row + rest + fmt::format("  {:>7}  {}", best, share);
        while (out.back() == ' ') out.pop_back();
        out += "\n";
    }
    return out;
}

std::string render_pictures(const std::vector<vgpu::Access>& trace, const std::vector<std::string>& source, int line,
                            const RenderStyle& style, const std::vector<std::size_t>& launch_ends) {
    std::string out;
    int shown_line = -1;
    std::map<std::string, int> line_of_picture;
    for (const AccessGroup& group : groups_of(trace, line)) {
        const std::string access = render_access(*group.shown, style);
        if (access.empty()) continue;
        const std::string picture =
            in_launch(access, static_cast<std::size_t>(group.shown - trace.data()), launch_ends);
        if (!out.empty()) out += "\n";
        if (group.shown->line != shown_line) out += heading(group.shown->line, source, style);
        shown_line = group.shown->line;
        const auto [same, is_new] = line_of_picture.emplace(picture, group.shown->line);
        if (!is_new && same->second != group.shown->line) {
            // Its first line says who touches what; the rest has been seen.
            out += picture.substr(0, picture.find('\n')) + fmt::format(", as at line {}\n", same->second);
            continue;
        }
        out += picture;
        if (group.count > 1)
            out += group.are_alike
                       ? fmt::format("       (it does so {} times, each time at this cost)\n", group.count)
                       : fmt::format("       (it does so {} times; this is the time that costs most)\n", group.count);
    }
    return out;
}

}  // namespace warpgrade::cli
