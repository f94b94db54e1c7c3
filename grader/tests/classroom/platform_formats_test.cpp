#include "classroom/platform_formats.hpp"

#include <set>

#include "support/catch.hpp"
#include "vgpu/finding.hpp"

using namespace warpgrade;
using namespace warpgrade::classroom;
using Json = nlohmann::ordered_json;

namespace {

using Write = std::string (*)(const Json&);
const std::vector<std::pair<std::string, Write>> formats{
    {"gradescope", gradescope_document}, {"prairielearn", prairielearn_document},
    {"junit", junit_document},           {"sarif", sarif_document},
    {"github", github_commands},         {"summary", github_summary}};

Json finding(const std::string& kind, const std::string& severity, int line) {
    return {{"kind", kind}, {"severity", severity}, {"line", line}, {"message", "what happened"}, {"help", "try this"}};
}

Json stage_with(const Json& findings) {
    return {{"assignment", "transpose"},
            {"stage", "padding"},
            {"source", "4_padding.cu"},
            {"compile", {{"ok", true}, {"diagnostics", Json::array()}}},
            {"correctness", {{"passed", 0}, {"total", 1}, {"cases", {{{"shape", {33, 65}}, {"verdict", "fault"}}}}}},
            {"findings", findings},
            {"technique", Json::array()},
            {"bandwidth", nullptr},
            {"points", {{"correctness", 5}, {"technique", 7}, {"performance", 2}}},
            {"score",
             {{"correctness", 0}, {"technique", 0}, {"performance", 0}, {"total", 0}, {"max", 14}, {"state", "final"}}},
            {"source_lines", {"first", "  a[i] = 0;", "third"}}};
}

Json result_of(const Json& stage) {
    return {{"tool", {{"version", "1.0.0"}}}, {"device", Json()}, {"stages", Json::array({stage})}};
}

int lines_with(const std::string& text, const std::string& start) {
    int count = 0;
    for (std::size_t at = 0; (at = text.find(start, at)) != std::string::npos; ++at)
        count += at == 0 || text[at - 1] == '\n';
    return count;
}

// Every value of `json` is `other`, one after the other.
void each_other(const Json& json, const Json& other, const std::function<void(const Json&)>& use) {
    const Json flat = json.flatten();
    for (const auto& [pointer, value] : flat.items()) {
        Json changed = json;
        for (Json::json_pointer at(pointer); !at.empty(); at = at.parent_pointer()) {
            changed = json;
            changed[at] = other;
            use(changed);
        }
    }
}

}  // namespace

TEST_CASE("a result of other types than ours is a document all the same") {
    Json stage = stage_with(Json::array({finding("race_shared", "error", 2)}));
    stage["technique"] = {{{"rule", "a < 1"}, {"value", 2}, {"ok", false}, {"says", "guard the load"}}};
    stage["bandwidth"] = {{"gb_per_s", 1.0}, {"share_of_reference", 0.5}};
    for (const Json& other : {Json(), Json("text\x1b[2J\n::error::"), Json(-1e300), Json::array({1}), Json::object()})
        each_other(stage, other, [&](const Json& changed) {
            for (const auto& [name, write] : formats) {
                const std::string text = write(result_of(changed));
                INFO(name << "\n" << changed.dump() << "\n" << text);
                CHECK(text.find('\x1b') == std::string::npos);
                if (name != "junit" && name != "github" && name != "summary") CHECK(Json::accept(text));
            }
        });
}

TEST_CASE("text of the submission begins no line of GitHub's commands, and none that an older runner reads") {
    Json stage = stage_with(Json::array({finding("race_shared", "error", 2)}));
    stage["findings"][0]["message"] = "x\n::set-output name=a::b\r\n##[error]c 100%, d: e";
    stage["source"] = "a,b:c\n::error::.cu";
    const std::string text = github_commands(result_of(stage));
    CHECK(lines_with(text, "::") == 1);
    CHECK(text.starts_with(
        "::error file=a%2Cb%3Ac\\n%3A%3Aerror%3A%3A.cu,line=2,title=transpose/padding%3A race_shared::x"));
    CHECK(text.find("100%25, d: e; try: try this") == std::string::npos);  // the first line of a message is its title
}

TEST_CASE("GitHub gets what a step may have, the first ones, and how many are left") {
    Json findings = Json::array();
    for (int i = 1; i <= 14; ++i)
        for (const char* severity : {"advice", "warning", "error"}) {
            findings.push_back(finding("race_shared", severity, i));
            findings.back()["message"] = std::string(severity) + std::to_string(i);
        }
    const std::string text = github_commands(result_of(stage_with(findings)));
    CHECK(lines_with(text, "::error ") == 10);
    CHECK(lines_with(text, "::warning ") == 10);
    CHECK(lines_with(text, "::notice ") == 10);
    CHECK(text.find("::error10; try") != std::string::npos);
    CHECK(text.find("::error11; try") == std::string::npos);
    CHECK(text.find("::notice title=warpgrade::13 more") != std::string::npos);
}

TEST_CASE("every kind of finding has a rule of its own in SARIF, with help") {
    const Json run = Json::parse(sarif_document(result_of(stage_with(Json::array()))))["runs"][0];
    std::set<std::string> ids;
    for (const Json& rule : run["tool"]["driver"]["rules"]) {
        CHECK(ids.insert(rule["id"]).second);
        CHECK_FALSE(rule["help"]["text"].get<std::string>().empty());
    }
    for (int kind = 0; kind <= static_cast<int>(vgpu::FindingKind::undefined_operand); ++kind) {
        INFO(to_string(static_cast<vgpu::FindingKind>(kind)));
        CHECK(ids.contains(to_string(static_cast<vgpu::FindingKind>(kind))));
    }
}

TEST_CASE("a fingerprint is of the line's text, and two like lines have two") {
    const auto prints = [](Json stage) {
        std::vector<std::string> all;
        const Json log = Json::parse(sarif_document(result_of(stage)));
        for (const Json& one : log["runs"][0]["results"]) all.push_back(one["partialFingerprints"]["warpgrade/v1"]);
        return all;
    };
    Json stage = stage_with(Json::array({finding("race_shared", "error", 2)}));
    const auto before = prints(stage);
    stage["source_lines"] = {"added", "first", "\ta[i] = 0;", "third", "a[i] = 0;"};
    stage["findings"][0]["line"] = 3;
    REQUIRE(before.size() == 1);
    CHECK(prints(stage) == before);
    stage["findings"].push_back(finding("race_shared", "error", 5));
    const auto two = prints(stage);
    REQUIRE(two.size() == 2);
    CHECK(two[0] == before[0]);
    CHECK(two[1] != two[0]);
}

TEST_CASE("the code of a finding that SARIF has no rule for becomes a rule") {
    const Json run =
        Json::parse(sarif_document(result_of(stage_with(Json::array({finding("new_kind", "warning", 1)})))))["runs"][0];
    const std::size_t index = run["results"][0]["ruleIndex"];
    CHECK(run["tool"]["driver"]["rules"][index]["id"] == "new_kind");
}

TEST_CASE("PrairieLearn's file is below 1 MB however much a stage says") {
    Json stage = stage_with(Json::array());
    for (int i = 0; i < 3000; ++i) {
        stage["findings"].push_back(finding("race_shared", "error", i));
        stage["findings"].back()["message"] = std::string(500, 'x') + "\u202e" + std::to_string(i);
    }
    Json result = result_of(stage);
    for (int i = 0; i < 40; ++i) result["stages"].push_back(stage);
    const std::string text = prairielearn_document(result);
    CHECK(text.size() <= 1'000'000);
    CHECK(Json::parse(text)["tests"].size() == 3 * 41);
}

TEST_CASE("a mark that a person has to look at is no 0 of PrairieLearn's") {
    Json stage = stage_with(Json::array());
    stage["score"]["state"] = "impossible";
    const Json json = Json::parse(prairielearn_document(result_of(stage)));
    CHECK(json["gradable"] == false);
    CHECK_FALSE(json.contains("score"));
}
