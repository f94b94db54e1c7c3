// Programs that do for show what a rule asks for (data/games.toml) earn no more technique points than what they are
// made from. What is graded needs NVRTC; says so where it is missing.
#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "compile/support.hpp"
#include "grade/stage_grader.hpp"
#include "support/catch.hpp"
#include "support/sample.hpp"

using namespace warpgrade;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

struct Points {
    double technique = 0;
    std::string rules;
};

// A small shape: rules are about the technique shape whatever is asked for.
Points points_of(const std::vector<Assignment>& course, const std::string& stage, const std::string& text) {
    const test::TemporaryFolder folder;
    const auto match = find_stage(course, stage);
    REQUIRE(match);
    const auto device = make_virtual_device();
    const Problem& problem = *find_problem(match->stage->problem);
    GradeOptions options;
    options.shapes = {problem.few_shapes(1, "float").front()};
    const auto graded = grade_stage(*match->assignment, *match->stage, folder.write("game.cu", text), *device, options);
    if (!graded) FAIL(graded.error().title);
    Points points;
    for (const TechniqueResult& rule : graded->technique) {
        points.technique += rule.ok ? rule.points : 0;
        points.rules += fmt::format("{} is {}: {}\n", rule.rule, rule.value, rule.ok ? "ok" : rule.says);
    }
    CHECK(std::any_of(graded->cases.begin(), graded->cases.end(),
                      [](const CaseResult& one) { return one.verdict == Verdict::pass; }));
    return points;
}

std::string edited(std::string text, const toml::array* edits) {
    for (std::size_t i = 0; edits != nullptr && i < edits->size(); ++i) {
        const toml::array& pair = *edits->get(i)->as_array();
        const std::string from = pair.get(0)->value_or(std::string()), to = pair.get(1)->value_or(std::string());
        const auto at = text.find(from);
        INFO(from);
        REQUIRE(at != std::string::npos);
        text.replace(at, from.size(), to);
    }
    return text;
}

}  // namespace

TEST_CASE("what is done for show earns nothing", "[eighth_4]") {
    if (test::lacks_nvrtc()) return;
    const auto course = load_course(root);
    REQUIRE(course);
    const toml::table file = toml::parse_file(root + "/grader/tests/data/games.toml");
    const toml::array& games = *file["game"].as_array();
    const test::Part part = test::part_of(4, "games");
    std::map<std::string, Points> bases;
    for (std::size_t i = 0; i < games.size(); ++i) {
        if (!part.is_in(i)) continue;
        const toml::table& game = *games.get(i)->as_table();
        const std::string stage = game["stage"].value_or(std::string()), base = game["base"].value_or(std::string());
        const std::string text = text_of(root + "/solutions/" + base);
        Points& honest = bases[stage + " " + base];
        if (honest.rules.empty()) honest = points_of(*course, stage, text);
        const Points got = points_of(*course, stage, game["source"].value_or(edited(text, game["edits"].as_array())));
        INFO(stage << ", " << game["name"].value_or(std::string()) << "\n" << got.rules << "base:\n" << honest.rules);
        CHECK(got.technique <= honest.technique + game["gain"].value_or(0.0) + 1e-6);
    }
}
