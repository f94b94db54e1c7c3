#include "grade/rescore.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_members.hpp"
#include "grade/result.hpp"
#include "grade/score.hpp"

namespace warpgrade {
namespace {

using Json = nlohmann::ordered_json;

std::size_t count_in(const Json& json, const char* key) {
    return static_cast<std::size_t>(std::clamp(number_in(json, key).value_or(0), 0.0, 1e9));
}

Origin origin_named(const std::string& word) {
    for (const Origin one : {Origin::measured, Origin::modelled, Origin::profile})
        if (to_string(one) == word) return one;
    return Origin::none;
}

Bandwidth bandwidth_from(const Json& json) {
    Bandwidth b;
    b.origin = origin_named(text_in(json, "origin"));
    b.reference_origin = origin_named(text_in(json, "reference_origin"));
    b.shape = text_in(json, "shape");
    b.shape_class = text_in(json, "class");
    b.seconds = number_in(json, "seconds").value_or(0);
    b.gb_per_s = number_in(json, "gb_per_s").value_or(0);
    b.reference_gb_per_s = number_in(json, "reference_gb_per_s").value_or(0);
    b.share_of_reference = number_in(json, "share_of_reference").value_or(0);
    b.verdict = verdict_named(text_in(json, "verdict")).value_or(Verdict::none);
    b.detail = text_in(json, "detail");
    return b;
}

// What score_of asks for.
StageResult result_from(const Json& json) {
    StageResult result;
    result.is_untouched_stub = flag_in(json, "untouched");
    result.why_untimed = text_in(json, "why_untimed");
    for (const Json& one : member(member(json, "correctness"), "cases")) {
        CaseResult its;
        its.verdict = verdict_named(text_in(one, "verdict")).value_or(Verdict::none);
        its.is_planned = flag_in(one, "planned");
        its.shape.shape_class = text_in(one, "class");
        result.cases.push_back(std::move(its));
    }
    for (const Json& one : member(json, "findings")) {
        Diagnostic finding;
        finding.code = text_in(one, "kind");
        finding.marks.push_back({"", static_cast<int>(number_in(one, "line").value_or(0)), 0, 1, ""});
        result.findings.push_back(std::move(finding));
    }
    for (const Json& one : member(json, "technique")) {
        TechniqueResult rule;
        rule.ok = flag_in(one, "ok");
        result.technique.push_back(std::move(rule));
    }
    if (const Json& one = member(json, "bandwidth"); one.is_object()) result.bandwidth = bandwidth_from(one);
    for (const Json& one : member(json, "bandwidth_by_class")) result.bandwidths.push_back(bandwidth_from(one));
    if (const Json& quiz = member(json, "quiz"); quiz.is_object())
        result.quiz = QuizMark{count_in(quiz, "questions"), count_in(quiz, "answered"), count_in(quiz, "right"),
                               flag_in(quiz, "of_old_code")};
    return result;
}

// The words of a rule that does not hold may have the type of the elements before them.
void replace_says(Json& rule, const std::string& was, const std::string& now) {
    std::string says = text_in(rule, "says");
    if (was.empty() || !says.ends_with(was)) return;
    says.resize(says.size() - was.size());
    rule["says"] = says + now;
}

}  // namespace

std::string measuring_text(const Stage& stage, bool on_card) {
    std::string text = fmt::format("{} {} {} {} {} {} {}\n", stage.name(), stage.file, stage.problem, stage.stub_digest,
                                   stage.is_graded, stage.is_repair, fmt::join(stage.types, ","));
    // Whether something gives points decides what is run for it.
    text += fmt::format("points {} {} {} {} banks {}\n", stage.correctness_points > 0, stage.technique_points > 0,
                        stage.performance_points > 0, stage.quiz_points > 0, stage.quiz_banks);
    for (const TechniqueRule& rule : stage.technique) text += rule.expression + "\n";
    for (const ProgramCase& run : stage.runs)
        text += fmt::format("run {}\n{}\n{}\n{} {}\n", fmt::join(run.arguments, " "), run.input, run.output,
                            run.exit_code, run.errors);
    for (const auto& [name, weight] : stage.class_weights) text += name + " ";
    for (const int threads : stage.sweep_threads) text += fmt::format("{} ", threads);
    if (on_card) text += fmt::format("band {} {}", stage.band.none, stage.band.full);
    return text;
}

Json marking_of(const Stage& stage) {
    Json marking{
        {"title", stage.title},
        {"first_step", stage.first_step},
        {"points", {stage.correctness_points, stage.technique_points, stage.performance_points, stage.quiz_points}},
        {"band", {stage.band.none, stage.band.full}},
        {"classes", stage.class_weights}};
    marking["rules"] = Json::array();
    for (const TechniqueRule& rule : stage.technique)
        marking["rules"].push_back({{"points", rule.points}, {"says", rule.says}});
    return marking;
}

bool rescore(Json& result, const Stage& stage) {
    const Json now = marking_of(stage), was = member(result, "marking");
    if (!was.is_object() || was == now) return false;
    const Score score = score_of(stage, result_from(result), flag_in(result, "technique_shape_is_right"), false);
    result["score"] = score_json(score, stage.quiz_points > 0);
    result["title"] = stage.title;
    result["points"] =
        points_json(stage.correctness_points, stage.technique_points, stage.performance_points, stage.quiz_points);
    if (stage.performance_points > 0) result["band"] = {{"none", stage.band.none}, {"full", stage.band.full}};
    const std::vector<double> points = rule_points(stage.technique, stage.technique_points);
    Json& rules = result["technique"];
    for (std::size_t i = 0; rules.is_array() && i < rules.size() && i < points.size(); ++i) {
        rules[i]["points"] = points[i];
        const Json& before = member(was, "rules");
        if (before.is_array() && i < before.size())
            replace_says(rules[i], text_in(before[i], "says"), stage.technique[i].says);
    }
    for (Json& finding : result["findings"])
        if (text_in(finding, "kind") == "untouched_stub") finding["help"] = stage.first_step;
    result["marking"] = now;
    return true;
}

}  // namespace warpgrade
