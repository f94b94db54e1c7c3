#include "classroom/gradescope.hpp"

#include "support/catch.hpp"

using namespace warpgrade::classroom;
using Json = nlohmann::ordered_json;

namespace {

Json stage(const std::string& state) {
    return {{"assignment", "transpose"},
            {"stage", "padding"},
            {"compile", {{"diagnostics", Json::array()}}},
            {"correctness", {{"passed", 29}, {"total", 30}}},
            {"findings",
             {{{"severity", "error"}, {"line", 14}, {"message", "read past the end of `in`"}},
              {{"severity", "advice"}, {"line", 3}, {"message", "not for here"}}}},
            {"technique", {{{"rule", "barriers > 0"}, {"value", 2}, {"ok", true}}}},
            {"bandwidth", nullptr},
            {"points", {{"correctness", 5}, {"technique", 7}, {"performance", 0}}},
            {"score", {{"correctness", 4.8333}, {"technique", 7}, {"performance", 0}, {"max", 12}, {"state", state}}}};
}

Json gradescope(const Json& one) { return gradescope_json({{"stages", Json::array({one})}}, {"a note"}); }

}  // namespace

TEST_CASE("each part of a stage with points is a test, and the sum is Gradescope's to make") {
    const Json json = gradescope(stage("final"));
    CHECK_FALSE(json.contains("score"));
    CHECK(json["output"] == "a note\n");
    REQUIRE(json["tests"].size() == 2);
    CHECK(json["tests"][0]["name"] == "transpose/padding, correctness");
    CHECK(json["tests"][0]["score"] == 4.83);
    CHECK(json["tests"][0]["max_score"] == 5);
    CHECK(json["tests"][0]["output"] == "29 of 30 cases pass\nline 14: read past the end of `in`\n");
    CHECK(json["tests"][1]["output"] == "holds: barriers > 0 (it is 2)\n");
}

TEST_CASE("an untouched stub is not attempted, and nothing is said of its rules") {
    Json stub = stage("final");
    stub["untouched"] = true;
    stub["technique"][0]["ok"] = false;
    const Json json = gradescope(stub);
    REQUIRE(json["tests"].size() == 2);
    for (const Json& test : json["tests"]) CHECK(test["output"] == "not attempted: the stub as it was handed out\n");
}

TEST_CASE("a rule that does not hold says what to change, and rules without a value say why once") {
    Json one = stage("final");
    one["technique"] = {{{"rule", "a < 1"}, {"value", 2}, {"ok", false}, {"says", "guard the load"}},
                        {{"rule", "b < 1"}, {"value", 0}, {"ok", true}}};
    CHECK(gradescope(one)["tests"][1]["output"] ==
          "does not hold: a < 1 (it is 2)\n  guard the load\nholds: b < 1 (it is 0)\n");
    one["technique"][0]["value"] = nullptr;
    CHECK(gradescope(one)["tests"][1]["output"].get<std::string>().starts_with(
        "does not hold: a < 1 (it has no value)\n"));
    for (Json& rule : one["technique"]) {
        rule["ok"] = false;
        rule["value"] = 0;
        rule["says"] = "not measured: the output is wrong on the technique shape";
        rule["measured"] = false;
    }
    CHECK(gradescope(one)["tests"][1]["output"] == "not measured: the output is wrong on the technique shape\n");
}

TEST_CASE("a stage that could not be graded is no zero") {
    for (const char* state : {"internal_error", "impossible"}) {
        const Json json = gradescope(stage(state));
        REQUIRE(json["tests"].size() == 1);
        CHECK_FALSE(json["tests"][0].contains("score"));
        CHECK_FALSE(json["tests"][0].contains("max_score"));
    }
}

TEST_CASE("Gradescope is not told the seed: it shows students what it is told") {
    const Json json = gradescope_json({{"seed", 198765432109876}, {"stages", Json::array({stage("final")})}}, {});
    CHECK(json.dump().find("198765432109876") == std::string::npos);
}
