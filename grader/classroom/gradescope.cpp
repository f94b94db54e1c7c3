#include "classroom/gradescope.hpp"

#include <fmt/format.h>

#include "grade/result.hpp"

namespace warpgrade::classroom {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* parts[] = {"correctness", "technique", "performance", "quiz"};

std::string correctness_text(const Json& stage) {
    std::string text;
    for (const Json& message : stage["compile"]["diagnostics"])
        if (message.value("severity", "") == "error")
            text += fmt::format("line {}: {}\n", message.value("line", 0), message.value("message", ""));
    const Json& cases = stage["correctness"];
    if (cases.value("total", 0) > 0)
        text += fmt::format("{} of {} cases pass\n", cases.value("passed", 0), cases.value("total", 0));
    for (const Json& finding : stage["findings"]) {
        if (finding.value("severity", "") == "advice") continue;
        if (const int line = finding.value("line", 0); line > 0) text += fmt::format("line {}: ", line);
        text += finding.value("message", "") + "\n";
    }
    return text;
}

std::string technique_text(const Json& stage) {
    std::string text;
    for (const Json& rule : stage["technique"]) {
        const std::string says = rule.value("says", "");
        // One reason for all rules.
        if (!rule.value("measured", true)) return says + "\n";
        const bool has_value = rule.contains("value") && rule["value"].is_number();
        text +=
            fmt::format("{}: {} ({})\n", rule.value("ok", false) ? "holds" : "does not hold", rule.value("rule", ""),
                        has_value ? fmt::format("it is {:.6g}", rule["value"].get<double>()) : "it has no value");
        if (!says.empty()) text += "  " + says + "\n";
    }
    return text;
}

std::string performance_text(const Json& stage) {
    if (!stage["bandwidth"].is_object()) return stage["score"].value("why", "");
    const Json& bandwidth = stage["bandwidth"];
    return fmt::format("{:.1f} GB/s {}, reference {:.1f} GB/s, copy {:.1f} GB/s\n", bandwidth.value("gb_per_s", 0.0),
                       bandwidth.value("origin", ""), bandwidth.value("reference_gb_per_s", 0.0),
                       bandwidth.value("copy_gb_per_s", 0.0));
}

std::string quiz_text(const Json& stage) {
    const Json quiz = stage.value("quiz", Json::object());
    return fmt::format("{} of {} questions about the kernel answered right, {} answered{}\n", quiz.value("right", 0),
                       quiz.value("questions", 0), quiz.value("answered", 0),
                       quiz.value("of_old_code", false) ? "; those in the file are about earlier code" : "");
}

void add_stage(Json& tests, const Json& stage, int number) {
    const Json& score = stage["score"];
    const std::string name = fmt::format("{}/{}", stage.value("assignment", ""), stage.value("stage", ""));
    const std::string state = score.value("state", "");
    if (needs_person(score_state_named(state).value_or(ScoreState::internal_error))) {
        tests.push_back({{"name", name},
                         {"number", fmt::format("{}", number)},
                         {"output", "not graded yet: a person has to look at this stage\n"},
                         {"extra_data", {{"state", state}, {"why", score.value("why", "")}}}});
        return;
    }
    int index = 0;
    for (const char* part : parts) {
        ++index;
        const double most = stage.contains("points") ? stage["points"].value(part, 0.0) : 0.0;
        if (most <= 0) continue;
        const std::string text = !stage.value("handed_in", true)   ? "no file was handed in\n"
                                 : stage.value("untouched", false) ? "not attempted: the stub as it was handed out\n"
                                 : std::string_view(part) == "correctness" ? correctness_text(stage)
                                 : std::string_view(part) == "technique"   ? technique_text(stage)
                                 : std::string_view(part) == "quiz"        ? quiz_text(stage)
                                                                           : performance_text(stage);
        tests.push_back({{"score", hundredths(score.value(part, 0.0))},
                         {"max_score", most},
                         {"name", name + ", " + part},
                         {"number", fmt::format("{}.{}", number, index)},
                         {"output", text},
                         {"output_format", "text"}});
    }
}

}  // namespace

double hundredths(double points) { return static_cast<double>(static_cast<long long>(points * 100 + 0.5)) / 100; }

Json gradescope_json(const Json& result, const std::vector<std::string>& notes) {
    std::string output;
    for (const std::string& note : notes) output += note + "\n";
    Json json{{"output", output}, {"output_format", "text"}, {"test_name_format", "text"}, {"tests", Json::array()}};
    int number = 0;
    for (const Json& stage : result["stages"])
        if (stage["score"].value("max", 0.0) > 0) add_stage(json["tests"], stage, ++number);
    // Without the seed: with it a student could replay the class's shapes and hand in again.
    json["extra_data"] = {{"tool", result.value("tool", Json())}, {"device", result.value("device", Json())}};
    return json;
}

}  // namespace warpgrade::classroom
