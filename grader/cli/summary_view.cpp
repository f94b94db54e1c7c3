#include <fmt/format.h>

#include <algorithm>

#include "cli/check_view.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {
namespace {

const char* words_for(StageState state) {
    switch (state) {
        case StageState::done: return "done";
        case StageState::wrong: return "wrong";
        case StageState::technique_missing: return "right, technique missing";
        case StageState::not_attempted: return "not attempted";
        case StageState::does_not_compile: return "does not compile";
        case StageState::worked_example: return "worked example";
        case StageState::changed_example: return "worked example, changed";
        case StageState::kit_defect: return "kit defect";
        case StageState::impossible: return "too fast to be true";
        case StageState::ungraded: break;
    }
    return "";
}

Cell fraction(std::size_t held, std::size_t total) {
    if (total == 0) return {"-", Paint::dim};
    return {fmt::format("{}/{}", held, total), held == total ? Paint::green : Paint::red};
}

StageState state_of(const Stage& stage, const StageResult& result, bool is_right) {
    if (!stage.is_graded) return result.passes() ? StageState::worked_example : StageState::changed_example;
    if (!result.compiles) return StageState::does_not_compile;
    if (result.is_untouched_stub) return StageState::not_attempted;
    if (result.score.state == ScoreState::internal_error) return StageState::kit_defect;
    if (result.score.state == ScoreState::impossible) return StageState::impossible;
    if (result.passes()) return StageState::done;
    return is_right ? StageState::technique_missing : StageState::wrong;
}

}  // namespace

SummaryRow summary_of(const Stage& stage, const StageResult& result) {
    SummaryRow row;
    row.stage = &stage;
    row.shapes = result.cases.size();
    row.right = static_cast<std::size_t>(std::count_if(result.cases.begin(), result.cases.end(),
                                                       [](const CaseResult& c) { return c.verdict == Verdict::pass; }));
    row.rules = result.technique.size();
    row.held = static_cast<std::size_t>(
        std::count_if(result.technique.begin(), result.technique.end(), [](const TechniqueResult& t) { return t.ok; }));
    row.state = state_of(stage, result, row.right == row.shapes);
    row.points = result.score.total;
    row.most = result.score.max;
    row.is_provisional = result.score.state == ScoreState::provisional;
    row.passes = result.passes();
    return row;
}

wire::Fields to_fields(const SummaryRow& row) {
    return {std::to_string(static_cast<int>(row.state)),
            std::to_string(row.right),
            std::to_string(row.shapes),
            std::to_string(row.held),
            std::to_string(row.rules),
            wire::real_text(row.points),
            wire::real_text(row.most),
            row.is_provisional ? "1" : "0",
            row.passes ? "1" : "0"};
}

std::optional<SummaryRow> row_from(const wire::Fields& fields, const Stage& stage) {
    wire::Reader in(fields);
    SummaryRow row;
    row.stage = &stage;
    const std::uint64_t state = in.number();
    row.state = static_cast<StageState>(std::min<std::uint64_t>(state, static_cast<int>(StageState::ungraded)));
    row.right = in.number();
    row.shapes = in.number();
    row.held = in.number();
    row.rules = in.number();
    row.points = in.real();
    row.most = in.real();
    row.is_provisional = in.number() != 0;
    row.passes = in.number() != 0;
    constexpr double rounding = 1e-9;  // of points that are shares of others
    const bool is_possible = row.state != StageState::ungraded && row.right <= row.shapes && row.held <= row.rules &&
                             row.points >= 0 && row.points <= row.most + rounding && row.most <= stage.max_points();
    if (!in.is_done() || !is_possible) return std::nullopt;
    return row;
}

std::string summary_line(const SummaryRow& row) {
    const std::string name = row.stage->name() + ": ";
    if (!row.failure.empty()) return name + escape(row.failure);
    if (row.state == StageState::not_attempted) return name + words_for(row.state);
    std::string out = fmt::format("{}{}, {} of {} right", name, words_for(row.state), row.right,
                                  counted(row.shapes, "shape", "shapes"));
    if (row.rules > 0)
        out += fmt::format(", {} of {} {}", row.held, counted(row.rules, "rule", "rules"),
                           row.held == 1 ? "holds" : "hold");
    if (row.most > 0) out += fmt::format(", {} of {} points", number(row.points), number(row.most));
    return out;
}

std::string render_summary(const std::vector<SummaryRow>& rows, const RenderStyle& style) {
    Table table({{"stage"}, {"shapes", true}, {"rules", true}, {"points", true}, {"of", true}, {"state", false, true}});
    double total = 0, most = 0;
    bool is_provisional = false;
    for (const SummaryRow& row : rows) {
        const bool is_graded = row.stage->is_graded && row.failure.empty();
        const bool is_attempted = row.state != StageState::not_attempted;  // what a stub gets right says nothing
        const Paint colour = row.state == StageState::done ? Paint::green : is_attempted ? Paint::none : Paint::dim;
        table.add({{row.stage->name()},
                   fraction(row.right, is_attempted ? row.shapes : 0),
                   fraction(row.held, is_attempted ? row.rules : 0),
                   {is_graded ? number(row.points) : ""},
                   {is_graded ? number(row.most) : ""},
                   {row.failure.empty() ? words_for(row.state) : escape(row.failure), colour}});
        if (!is_graded) continue;
        total += row.points;
        most += row.most;
        is_provisional |= row.is_provisional;
    }
    std::string out = table.text(style);
    return out +
           fmt::format("\n{} of {} points{}\n", number(total), number(most), is_provisional ? ", provisional" : "");
}

}  // namespace warpgrade::cli
