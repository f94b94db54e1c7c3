// Programs that do less, or something else, where only some of their blocks run, or where nobody compares the output.
// Their first lines say what they may earn for speed in `grade`.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "compile/support.hpp"
#include "grade/stage_grader.hpp"
#include "support/catch.hpp"
#include "support/sample.hpp"
#include "timing/modelled.hpp"

using namespace warpgrade;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

struct Game {
    std::string path, stage, bound;  // "at most", "at least"
    double points = -1;
};

Game read_game(const std::filesystem::path& path) {
    Game game{path.string(), "", "", -1};
    std::ifstream file(path);
    for (std::string line; std::getline(file, line) && line.starts_with("//");) {
        std::istringstream words(line);
        std::string slashes, key, at, how;
        words >> slashes >> key;
        if (key == "stage:") words >> game.stage;
        if (key == "performance:" && words >> at >> how >> game.points) game.bound = at + " " + how;
    }
    return game;
}

std::vector<Game> all_games() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(root + "/grader/tests/grade/timed_games"))
        paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<Game> games;
    for (const auto& path : paths) games.push_back(read_game(path));
    return games;
}

StageResult graded(const std::vector<Assignment>& course, const std::string& stage, const std::string& path) {
    const auto match = find_stage(course, stage);
    REQUIRE(match);
    const auto profile = load_profile(root + "/grader/profiles/h200.toml");
    REQUIRE(profile);
    const auto model = ModelledSource::open(*profile);
    REQUIRE(model);
    GradeOptions options;
    options.seed = 777;
    options.bandwidths = model->get();
    options.runs_timed = true;
    const auto device = make_virtual_device();
    auto result = grade_stage(*match->assignment, *match->stage, path, *device, options);
    if (!result) FAIL(result.error().title);
    return std::move(*result);
}

}  // namespace

TEST_CASE("a program that knows that few of its blocks run earns no more for speed than it is worth", "[eighth_3]") {
    if (test::lacks_nvrtc()) return;
    const auto course = load_course(root);
    REQUIRE(course);
    const std::vector<Game> games = all_games();
    REQUIRE(games.size() >= 12);
    const test::Part part = test::part_of(6, "programs of timed_games/");
    std::size_t number = 0;
    for (const Game& game : games) {
        INFO(game.path);
        REQUIRE((game.bound == "at most" || game.bound == "at least"));
        if (!part.is_in(number++)) continue;
        const StageResult result = graded(*course, game.stage, game.path);
        INFO(result.score.why << "; " << result.why_untimed);
        if (game.bound == "at most")
            CHECK(result.score.performance <= game.points);
        else
            CHECK(result.score.performance >= game.points);
    }
}
