#include "grade/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/make_diagnostic.hpp"
#include "course/source_text.hpp"
#include "explain/access_place.hpp"
#include "explain/say.hpp"
#include "grade/bank_advice.hpp"
#include "source/questions.hpp"

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
    const char* title;  // as `say` takes it
    const char* help;   //
    vgpu::AccessKind access;
    double worth_a_word;  // times the ideal
};

// Rows that begin where they must, as those of a tile with its border do, touch up to 1.9 times what they fill.
constexpr double unaligned_rows = 1.9, some_conflicts = 1.5;

const Waste wastes[] = {
    {"uncoalesced_load", "global_load_", &Counters::global_load_requests, &Counters::global_load_sectors,
     &Counters::global_load_sectors_ideal, "sectors", "loads_global_memory_coalesced",
     "neighbouring_threads_threadidx_read", vgpu::AccessKind::read, unaligned_rows},
    {"uncoalesced_store", "global_store_", &Counters::global_store_requests, &Counters::global_store_sectors,
     &Counters::global_store_sectors_ideal, "sectors", "stores_global_memory_coalesced",
     "neighbouring_threads_threadidx_write", vgpu::AccessKind::write, unaligned_rows},
    {"bank_conflict", "shared_load_wavefronts", &Counters::shared_load_requests, &Counters::shared_load_wavefronts,
     &Counters::shared_load_wavefronts_ideal, "wavefronts", "loads_shared_memory_wait", "change_row_length_tile",
     vgpu::AccessKind::read, some_conflicts},
    {"bank_conflict", "shared_store_wavefronts", &Counters::shared_store_requests, &Counters::shared_store_wavefronts,
     &Counters::shared_store_wavefronts_ideal, "wavefronts", "stores_shared_memory_wait",
     "change_row_length_tile_thread", vgpu::AccessKind::write, some_conflicts},
};

// The stage is built on the waste: a rule demands it.
bool is_demanded(const Stage& stage, const char* stem) {
    return std::ranges::any_of(stage.technique, [&](const TechniqueRule& rule) {
        const bool is_ratio = rule.left.find("_per_request") != std::string::npos ||
                              rule.left.find("_over_ideal") != std::string::npos || rule.left == stem;
        return rule.left.starts_with(stem) && is_ratio && rule.op.front() == '>' && rule.right > 1;
    });
}

bool is_limited(const Stage& stage, const char* stem) {
    return std::ranges::any_of(stage.technique, [&](const TechniqueRule& rule) {
        return rule.left.starts_with(stem) && rule.op.front() == '<';
    });
}

// On the array itself, where the line has only one that it can be.
void mark_access(const source::Facts& facts, vgpu::AccessKind access, SourceMark& mark) {
    const AccessPlace place = access_place(facts, mark.line, "", access);
    if (place.column == 0) return;
    mark.column = place.column;
    mark.length = place.length;
}

// What stands under the mark: the array's name, where one was found.
std::string marked_name(const std::string& source, const Diagnostic& diagnostic) {
    const SourceMark& mark = diagnostic.marks.front();
    const std::string_view line = line_of(source, mark.line);
    const auto at = static_cast<std::size_t>(std::max(0, mark.column - 1));
    return at < line.size() ? std::string(line.substr(at, static_cast<std::size_t>(mark.length))) : "";
}

// On the `if (...)` of the line, where it has one.
void mark_condition(const std::string& source, SourceMark& mark) {
    const std::string_view line = line_of(source, mark.line);
    const int column = column_of(line, "if");
    if (column == 0) return;
    int depth = 0;
    for (std::size_t i = static_cast<std::size_t>(column); i < line.size(); ++i) {
        depth += (line[i] == '(') - (line[i] == ')');
        if (depth != 0 || line[i] != ')') continue;
        mark.column = column;
        mark.length = static_cast<int>(i) + 2 - column;
        return;
    }
}

// What the stage's own rule about this says, where it does not hold.
std::string words_of_rule(const Stage& stage, const std::vector<TechniqueResult>& technique, std::string_view stem) {
    for (std::size_t i = 0; i < std::min(stage.technique.size(), technique.size()); ++i) {
        const TechniqueRule& rule = stage.technique[i];
        if (rule.left.starts_with(stem) && rule.op.front() == '<' && !technique[i].ok && technique[i].is_measured)
            return technique[i].says;
    }
    return {};
}

Diagnostic advice_at(const char* code, const std::string& title, const std::string& path, const std::string& source,
                     int line, std::string label) {
    Diagnostic diagnostic = make_diagnostic(Blame::learner, Severity::advice, code, title);
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

// What advice is made of, and how much of it there is in all.
struct Traffic {
    const Stage& stage;
    const std::vector<TechniqueResult>& technique;
    const std::string &path, &source;
    const std::vector<vgpu::LineCounters>& by_line;
    const std::vector<LaunchInfo>& launches;
    std::uint64_t requests = 0, instructions = 0;
};

void advise_on_waste(const Traffic& all, const Waste& waste, const source::Facts& facts,
                     std::vector<Diagnostic>& advice) {
    std::string words = words_of_rule(all.stage, all.technique, waste.rule_stem);  // said once
    const bool is_open = all.stage.technique.empty();
    if (is_demanded(all.stage, waste.rule_stem) || (!is_open && !is_limited(all.stage, waste.rule_stem))) return;
    for (const vgpu::LineCounters& line : all.by_line) {
        const auto requests = line.counters.*waste.requests, units = line.counters.*waste.units,
                   ideal = line.counters.*waste.ideal;
        // A line of few requests, such as the one store of a block's sum, is not where the time goes.
        if (line.line == 0 || ideal == 0 || requests * 50 < all.requests) continue;
        if (static_cast<double>(units) < waste.worth_a_word * static_cast<double>(ideal)) continue;
        const double per_request = static_cast<double>(units) / static_cast<double>(requests),
                     best = static_cast<double>(ideal) / static_cast<double>(requests);
        Diagnostic diagnostic =
            advice_at(waste.code, say(waste.title), all.path, all.source, line.line,
                      fmt::format("{:.3g} {} a request, {:.3g} at best", per_request, waste.unit, best));
        diagnostic.facts.push_back(fmt::format("{} requests, {} {}", requests, units, waste.unit));
        mark_access(facts, waste.access, diagnostic.marks.front());
        diagnostic.kind = waste.access == vgpu::AccessKind::write ? "store" : "load";
        diagnostic.help = words.empty() ? say(waste.help) : std::exchange(words, "");
        if (diagnostic.code == "bank_conflict") {
            diagnostic.object = marked_name(all.source, diagnostic);
            Advice banks;
            if (all.launches.size() == 1)
                banks = advice_on_banks(facts, line.line, diagnostic.object, per_request, all.launches.front());
            if (!banks.empty()) give(diagnostic, std::move(banks));
        }
        advice.push_back(std::move(diagnostic));
    }
}

void advise_on_one_thread(const Traffic& all, std::vector<Diagnostic>& advice) {
    const bool fails =
        std::ranges::any_of(all.technique, [](const TechniqueResult& rule) { return !rule.ok && rule.is_measured; });
    for (const vgpu::LineCounters& line : all.by_line) {
        const std::uint64_t own = line.counters.warp_instructions;
        // A few more for what the whole warp does before it is left to one.
        if (!fails || line.line == 0 || 2 * own < all.instructions || 10 * line.counters.thread_instructions > 12 * own)
            continue;
        Diagnostic diagnostic =
            advice_at("one_thread", say("thread_warp_works_here"), all.path, all.source, line.line,
                      fmt::format("{:.0f} % of all instructions",
                                  100 * static_cast<double>(own) / static_cast<double>(all.instructions)));
        diagnostic.help = say("share_work_out_among");
        advice.push_back(std::move(diagnostic));
    }
}

void advise_on_divergence(const Traffic& all, std::vector<Diagnostic>& advice) {
    // A stage that asks for nothing here may be built on such branches.
    const std::string words = words_of_rule(all.stage, all.technique, "divergent_branches_per_warp");
    if (words.empty() && !all.stage.technique.empty()) return;
    for (const vgpu::LineCounters& line : all.by_line) {
        const Counters& c = line.counters;
        // Most of its branches split, and the lanes that stand by are a tenth of all the work there is: an
        // `if (tid == 0)` at the end is fine.
        const std::uint64_t idle = 32 * c.warp_instructions - std::min(c.thread_instructions, 32 * c.warp_instructions);
        // A lane that adds for others, which stand by, saves what they would do.
        const bool adds_for_others = c.shared_atomic_requests + c.global_atomic_requests != 0;
        if (line.line == 0 || adds_for_others || c.branches == 0 || c.divergent_branches * 2 < c.branches ||
            idle * 10 < 32 * all.instructions)
            continue;
        Diagnostic diagnostic =
            advice_at("divergence", say("threads_warp_take_different"), all.path, all.source, line.line,
                      fmt::format("{} of {} branches split a warp", c.divergent_branches, c.branches));
        mark_condition(all.source, diagnostic.marks.front());
        diagnostic.help = words.empty() ? say("condition_same_threads_warp") : words;
        advice.push_back(std::move(diagnostic));
    }
}

}  // namespace

std::vector<Diagnostic> performance_advice(const Stage& stage, const std::vector<TechniqueResult>& technique,
                                           const std::string& path, const std::string& source,
                                           const std::vector<vgpu::LineCounters>& by_line,
                                           const std::vector<LaunchInfo>& launches) {
    source::Reading reading;
    const source::Facts& facts = reading.of(source);
    Traffic all{stage, technique, path, source, by_line, launches};
    for (const vgpu::LineCounters& line : by_line) {
        all.instructions += line.counters.warp_instructions;
        for (const Waste& waste : wastes) all.requests += line.counters.*waste.requests;
    }
    std::vector<Diagnostic> advice;
    for (const Waste& waste : wastes) advise_on_waste(all, waste, facts, advice);
    advise_on_one_thread(all, advice);
    advise_on_divergence(all, advice);
    return advice;
}

}  // namespace warpgrade
