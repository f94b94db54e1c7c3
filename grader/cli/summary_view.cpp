#include <fmt/format.h>

#include <algorithm>

#include "cli/check_view.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {
namespace {

constexpr const char* not_attempted = "not attempted";

Cell fraction(std::size_t held, std::size_t total) {
    if (total == 0) return {"-", Paint::dim};
    return {fmt::format("{}/{}", held, total), held == total ? Paint::green : Paint::red};
}

std::string state_of(const SummaryRow& row) {
    if (!row.failure.empty()) return row.failure;
    const StageResult& result = row.result;
    if (!row.stage->is_graded) return result.passes() ? "worked example" : "worked example, changed";
    if (!result.compiles) return "does not compile";
    if (result.is_untouched_stub) return not_attempted;
    if (result.score.state == "internal_error") return "kit defect";
    if (!result.passes()) {
        const bool is_right = std::all_of(result.cases.begin(), result.cases.end(),
                                          [](const CaseResult& c) { return c.verdict == "pass"; });
        return is_right ? "right, technique missing" : "wrong";
    }
    return "done";
}

}  // namespace

std::string render_summary(const std::vector<SummaryRow>& rows, const RenderStyle& style) {
    Table table({{"stage"}, {"shapes", true}, {"rules", true}, {"points", true}, {"of", true}, {"state", false, true}});
    double total = 0, most = 0;
    bool is_provisional = false;
    for (const SummaryRow& row : rows) {
        const StageResult& result = row.result;
        const auto right = static_cast<std::size_t>(std::count_if(
            result.cases.begin(), result.cases.end(), [](const CaseResult& c) { return c.verdict == "pass"; }));
        const auto held = static_cast<std::size_t>(std::count_if(result.technique.begin(), result.technique.end(),
                                                                 [](const TechniqueResult& t) { return t.ok; }));
        const bool is_graded = row.stage->is_graded && row.failure.empty();
        const std::string state = state_of(row);
        const bool is_attempted = state != not_attempted;  // what a stub gets right says nothing
        const Paint colour = state == "done" ? Paint::green : state == not_attempted ? Paint::dim : Paint::none;
        table.add({{row.stage->name()},
                   fraction(right, is_attempted ? result.cases.size() : 0),
                   fraction(held, is_attempted ? result.technique.size() : 0),
                   {is_graded ? number(result.score.total) : ""},
                   {is_graded ? number(result.score.max) : ""},
                   {escape(state), colour}});
        if (!is_graded) continue;
        total += result.score.total;
        most += result.score.max;
        is_provisional |= result.score.state == "provisional";
    }
    std::string out = table.text(style);
    return out +
           fmt::format("\n{} of {} points{}\n", number(total), number(most), is_provisional ? ", provisional" : "");
}

}  // namespace warpgrade::cli
