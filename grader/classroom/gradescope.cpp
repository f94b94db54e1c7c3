#include "classroom/gradescope.hpp"

#include <fmt/format.h>

#include "classroom/platform_formats.hpp"
#include "classroom/result_tests.hpp"

namespace warpgrade::classroom {
namespace {

using Json = nlohmann::ordered_json;

void add_stage(Json& tests, const ResultStage& stage, int number) {
    if (stage.needs_person) {
        tests.push_back({{"name", stage.name},
                         {"number", fmt::format("{}", number)},
                         {"output", not_graded_text(stage) + "\n"},
                         {"extra_data", {{"state", stage.state}, {"why", stage.why}}}});
        return;
    }
    int index = 0;
    for (const ResultPart& part : stage.parts) {
        ++index;
        if (part.most <= 0) continue;
        tests.push_back({{"score", hundredths(part.points)},
                         {"max_score", part.most},
                         {"name", fmt::format("{}, {}", stage.name, part.name)},
                         {"number", fmt::format("{}.{}", number, index)},
                         {"output", part.text},
                         {"output_format", "text"}});
    }
}

}  // namespace

std::string not_graded_text(const ResultStage& stage) {
    if (stage.is_pending) return "not graded yet: the run ended before this stage, or is still running";
    if (!stage.error_code.empty()) return "not graded: " + stage.why;
    return "not graded yet: a person has to look at this stage";
}

Json gradescope_json(const Json& result, const std::vector<std::string>& notes) {
    std::string output;
    for (const std::string& note : notes) output += note + "\n";
    Json json{{"output", output}, {"output_format", "text"}, {"test_name_format", "text"}, {"tests", Json::array()}};
    int number = 0;
    for (const ResultStage& stage : stages_of(result))
        if (stage.max > 0 || !stage.error_code.empty()) add_stage(json["tests"], stage, ++number);
    // Without the seed: with it a student could replay the class's shapes and hand in again.
    json["extra_data"] = {{"tool", result.value("tool", Json())}, {"device", result.value("device", Json())}};
    return json;
}

std::string gradescope_document(const Json& result) {
    Json json = gradescope_json(result, {});
    double seconds = 0;
    bool has_score = false;
    for (const ResultStage& stage : stages_of(result)) seconds += stage.seconds;
    for (const Json& test : json["tests"]) has_score = has_score || test.contains("score");
    json["execution_time"] = hundredths(seconds);
    // A document without any score is refused, and then nobody sees what it says.
    if (!has_score) {
        json["score"] = 0;
        json["output"] = "Nothing is graded yet, and this 0 is not a mark; the tests say why.\n";
    }
    return document_text(json);
}

}  // namespace warpgrade::classroom
