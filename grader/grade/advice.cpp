#include "grade/advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "course/source_text.hpp"

namespace warpgrade {

namespace {

using vgpu::Counters;

// A kind of access that can be wasteful: what is counted, what would be ideal, and when it is worth a word.
struct Waste {
    const char* code;
    const char* rule_stem;  // rules about it begin like this
    std::uint64_t Counters::*requests;
    std::uint64_t Counters::*units;
    std::uint64_t Counters::*ideal;
    const char* unit;
    const char* title;
    const char* help;
};

constexpr double worth_a_word = 1.5;  // times the ideal

const Waste wastes[] = {
    {"uncoalesced_load", "global_load_", &Counters::global_load_requests, &Counters::global_load_sectors,
     &Counters::global_load_sectors_ideal, "sectors", "loads from global memory are not coalesced",
     "let neighbouring threads (threadIdx.x) read neighbouring elements"},
    {"uncoalesced_store", "global_store_", &Counters::global_store_requests, &Counters::global_store_sectors,
     &Counters::global_store_sectors_ideal, "sectors", "stores to global memory are not coalesced",
     "let neighbouring threads (threadIdx.x) write neighbouring elements"},
    {"bank_conflict", "shared_load_wavefronts", &Counters::shared_load_requests, &Counters::shared_load_wavefronts,
     &Counters::shared_load_wavefronts_ideal, "wavefronts", "loads from shared memory wait for each other's banks",
     "change the row length of the tile, or which thread reads what, so that a warp's words are in 32 different banks"},
    {"bank_conflict", "shared_store_wavefronts", &Counters::shared_store_requests, &Counters::shared_store_wavefronts,
     &Counters::shared_store_wavefronts_ideal, "wavefronts", "stores to shared memory wait for each other's banks",
     "change the row length of the tile, or which thread writes what, so that a warp's words are in 32 different "
     "banks"},
};

// The stage is built on the waste: a rule demands it.
bool is_demanded(const Stage& stage, const char* stem) {
    return std::any_of(stage.technique.begin(), stage.technique.end(), [&](const TechniqueRule& rule) {
        const bool is_ratio = rule.left.find("_per_request") != std::string::npos ||
                              rule.left.find("_over_ideal") != std::string::npos || rule.left == stem;
        return rule.left.starts_with(stem) && is_ratio && rule.op.front() == '>' && rule.right > 1;
    });
}

bool is_limited(const Stage& stage, const char* stem) {
    return std::any_of(stage.technique.begin(), stage.technique.end(), [&](const TechniqueRule& rule) {
        return rule.left.starts_with(stem) && rule.op.front() == '<';
    });
}

Diagnostic advice_at(const char* code, const char* title, const std::string& path, const std::string& source, int line,
                     std::string label) {
    Diagnostic diagnostic;
    diagnostic.blame = Blame::learner;
    diagnostic.severity = Severity::advice;
    diagnostic.code = code;
    diagnostic.title = title;
    SourceMark mark;
    mark.path = path;
    mark.line = line;
    const std::string_view text = line_of(source, line);
    const auto first = text.find_first_not_of(" \t");
    if (first != std::string_view::npos) {
        mark.column = static_cast<int>(first) + 1;
        mark.length = static_cast<int>(std::min<std::size_t>(text.find_last_not_of(" \t") + 1 - first, 60));
    }
    mark.label = std::move(label);
    diagnostic.marks.push_back(mark);
    return diagnostic;
}

}  // namespace

std::vector<Diagnostic> performance_advice(const Stage& stage, const std::string& path, const std::string& source,
                                           const std::vector<vgpu::LineCounters>& by_line) {
    std::vector<Diagnostic> advice;
    std::uint64_t all_requests = 0, all_instructions = 0;
    for (const vgpu::LineCounters& line : by_line) {
        all_instructions += line.counters.warp_instructions;
        for (const Waste& waste : wastes) all_requests += line.counters.*waste.requests;
    }

    for (const Waste& waste : wastes) {
        if (is_demanded(stage, waste.rule_stem)) continue;
        const bool is_open = stage.technique.empty();
        if (!is_open && !is_limited(stage, waste.rule_stem)) continue;
        for (const vgpu::LineCounters& line : by_line) {
            const auto requests = line.counters.*waste.requests, units = line.counters.*waste.units,
                       ideal = line.counters.*waste.ideal;
            // A line of few requests, such as the one store of a block's sum, is not where the time goes.
            if (line.line == 0 || ideal == 0 || requests * 50 < all_requests) continue;
            if (static_cast<double>(units) < worth_a_word * static_cast<double>(ideal)) continue;
            const double per_request = static_cast<double>(units) / static_cast<double>(requests),
                         best = static_cast<double>(ideal) / static_cast<double>(requests);
            Diagnostic diagnostic =
                advice_at(waste.code, waste.title, path, source, line.line,
                          fmt::format("{:.3g} {} a request, {:.3g} would do", per_request, waste.unit, best));
            diagnostic.facts.push_back(fmt::format("{} requests, {} {}", requests, units, waste.unit));
            diagnostic.help = waste.help;
            advice.push_back(std::move(diagnostic));
        }
    }
    if (is_demanded(stage, "divergent_branches_per_warp")) return advice;
    for (const vgpu::LineCounters& line : by_line) {
        const Counters& c = line.counters;
        // Most of its branches split, and the lanes that stand by are a tenth of all the work there is: an
        // `if (tid == 0)` at the end is fine.
        const std::uint64_t idle = 32 * c.warp_instructions - std::min(c.thread_instructions, 32 * c.warp_instructions);
        if (line.line == 0 || c.branches == 0 || c.divergent_branches * 2 < c.branches ||
            idle * 10 < 32 * all_instructions)
            continue;
        Diagnostic diagnostic =
            advice_at("divergence", "the threads of a warp take different ways here", path, source, line.line,
                      fmt::format("{} of {} branches split a warp", c.divergent_branches, c.branches));
        diagnostic.help = "let the condition be the same for the 32 threads of a warp";
        advice.push_back(std::move(diagnostic));
    }
    return advice;
}

}  // namespace warpgrade
