#include "cli/bench_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "cli/check_view.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {
namespace {

// 1.2 us, 135.8 us, 1.09 ms.
std::string time_text(double seconds) {
    if (seconds <= 0) return "-";
    if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
    if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
    return fmt::format("{:.2f} s", seconds);
}

// 3952, 31.4, 0.87.
std::string rate(double value) {
    if (value <= 0) return "-";
    return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string times(double factor) {
    if (factor <= 0) return "-";
    return factor < 10 ? fmt::format("{:.2f} x", factor) : fmt::format("{:.0f} x", factor);
}

// Points with one limit: what limits them, and how much faster they would be without it.
std::string shared_limit(const std::vector<const Bandwidth*>& points) {
    const auto [least, most] = std::ranges::minmax(points, {}, &Bandwidth::gain_without_limit);
    const std::string text = limit_text(*points.front());
    if (std::ranges::all_of(points, [&](const Bandwidth* one) { return limit_text(*one) == text; })) return text;
    Bandwidth alone = *points.front();
    alone.gain_without_limit = 1;
    return limit_text(alone) + fmt::format("; without it {:.1f} to {:.1f} times as fast", least->gain_without_limit,
                                           most->gain_without_limit);
}

// "1.9 %" of the time; what a reader needs to know whether two rows differ.
std::string spread(const Bandwidth& b) {
    return b.seconds > 0 ? fmt::format("{:.1f} %", 100 * b.iqr_seconds / b.seconds) : "-";
}

// Shapes by what limits them, in the order of the table: each limit once.
std::string limits_text(const BenchStage& stage, const RenderStyle& style) {
    struct Group {
        std::vector<const Bandwidth*> points;
        std::vector<std::string> shapes;
    };
    std::vector<Group> groups;
    for (const BenchPoint& point : stage.points) {
        const Bandwidth& b = point.bandwidth;
        if (b.limiter.empty()) continue;
        auto group = std::ranges::find_if(groups, [&](const Group& one) {
            return one.points.front()->limiter == b.limiter && one.points.front()->limiter_line == b.limiter_line;
        });
        if (group == groups.end()) group = groups.insert(group, Group{});
        group->points.push_back(&b);
        group->shapes.push_back(to_string(point.shape) +
                                (point.threads > 0 ? fmt::format(" at {} threads", point.threads) : ""));
    }
    std::string out;
    for (const auto& [points, shapes] : groups) {
        const bool is_of_all = shapes.size() > 1 && shapes.size() == stage.points.size();
        out += wrap_after("  ",
                          escape(fmt::format("{}: {}", is_of_all ? "all" : fmt::format("{}", fmt::join(shapes, ", ")),
                                             shared_limit(points))),
                          style.columns);
    }
    return out;
}

}  // namespace

std::string render_bench(const BenchStage& stage, const RenderStyle& style) {
    std::string out = stage_header(stage.assignment + "/" + stage.stage, stage.source_path, style);
    if (!stage.findings.empty()) out += "\n" + render_findings(stage.findings, 3, style);
    if (stage.points.empty())
        return stage.findings.empty() ? out + "  nothing was timed: only what is right is; `check` says what is not\n"
                                      : out;
    bool has_threads = false, has_cpu = false;
    std::set<Origin> origins;
    std::set<std::string> slow;
    for (const BenchPoint& point : stage.points) {
        has_threads |= point.threads > 0;
        has_cpu |= point.cpu_gb_per_s > 0;
        origins.insert(point.bandwidth.origin);
        slow.insert(point.bandwidth.throttled_by.begin(), point.bandwidth.throttled_by.end());
    }
    std::vector<Column> columns{{"shape", false, true}};
    if (has_threads) columns.push_back({"threads", true});
    columns.push_back({"time", true});
    const bool has_spread = origins.contains(Origin::measured);
    if (has_spread) columns.push_back({"IQR", true});
    const Bandwidth& shown = stage.points.front().bandwidth;
    columns.push_back({std::string(shown.rate_unit()), true});
    columns.push_back({shown.yardstick == Yardstick::compute ? "of FMA loop" : "of copy", true});
    columns.push_back({"naive", true});
    if (has_cpu) columns.push_back({"CPU", true});
    columns.push_back({"Gelem/s", true});
    columns.push_back({"", false, true});
    Table table(columns);
    for (const BenchPoint& point : stage.points) {
        const Bandwidth& b = point.bandwidth;
        const std::string type = point.shape.type == "float" ? "" : " " + point.shape.type;
        std::vector<Cell> row{{to_string(point.shape) + type}};
        if (has_threads) row.push_back({point.threads > 0 ? std::to_string(point.threads) : ""});
        row.push_back({time_text(b.seconds)});
        if (has_spread) row.push_back({b.origin == Origin::measured ? spread(b) : ""});
        row.push_back({rate(b.rate())});
        row.push_back({b.seconds > 0 ? fmt::format("{:.0f} %", 100 * point.share_of_copy()) : "-"});
        row.push_back({times(point.speedup_over_naive())});
        if (has_cpu) row.push_back({times(point.speedup_over_cpu())});
        row.push_back({rate(point.elements_per_s / 1e9)});
        // A model's limiter is a sentence: below the table.
        const std::string limiter = b.origin == Origin::modelled ? "" : b.limiter;
        row.push_back({b.verdict == Verdict::ok ? limiter : std::string(to_string(b.verdict)),
                       b.verdict == Verdict::ok ? Paint::dim : Paint::red});
        table.add(std::move(row));
    }
    out += table.text(style);
    if (const BenchPoint& last = stage.points.back(); last.cpu_gb_per_s > 0)
        out += wrap_after("",
                          fmt::format("the loop on the CPU would take {} for {} (timed on {}, at {:.3g} GB/s)",
                                      time_text(last.bandwidth.seconds * last.speedup_over_cpu()),
                                      to_string(last.shape), stage.cpu_shape, last.cpu_gb_per_s),
                          style.columns);
    for (const BenchPoint& point : stage.points)
        if (!point.bandwidth.detail.empty())
            out += wrap_after(fmt::format("{}: ", to_string(point.bandwidth.verdict)), escape(point.bandwidth.detail),
                              style.columns);
    if (origins.contains(Origin::modelled)) {
        out += "\n" + wrap_after("", escape(modelled_text(stage.points.front().bandwidth)), style.columns);
        out += limits_text(stage, style);
    }
    std::string reasons;
    for (const std::string& reason : slow) reasons += (reasons.empty() ? "" : ", ") + reason;
    if (!reasons.empty()) out += wrap_after("", "the card was slowed down meanwhile: " + reasons, style.columns);
    return out;
}

}  // namespace warpgrade::cli
