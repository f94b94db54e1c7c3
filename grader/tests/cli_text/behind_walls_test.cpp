// What comes back from a process that a student may have taken over, and who is blamed for its end.
#include "cli/behind_walls.hpp"

#include "base/json_text.hpp"

#include <signal.h>

#include <atomic>
#include <optional>

#include "cli/text.hpp"
#include "compile/support.hpp"
#include "support/catch.hpp"
#include "support/made_up_card.hpp"
#include "timing/bench.hpp"

using namespace warpgrade;
using namespace warpgrade::cli;

namespace {

struct Stub {
    Course course = open_course().value();
    Target target = find_targets(course, {"transpose/padding"}, "").value().front();
    Machine machine;
};

Result<wire::Fields> ended(const Stub& stub, const std::function<wire::Fields()>& work, unsigned wall_seconds = 100) {
    ConfinedLimits limits;
    limits.cpu_seconds = 1;
    limits.wall_seconds = wall_seconds;
    return behind_walls(stub.machine, stub.target, work, limits);
}

}  // namespace

TEST_CASE("how a check ends decides who is blamed") {
    const Stub stub;
    CHECK(ended(stub, []() -> wire::Fields { return {"fine"}; }).value() == wire::Fields{"fine"});
    const auto spun = ended(stub, []() -> wire::Fields {
        for (std::atomic<unsigned> i{0};; ++i) {
        }
    });
    CHECK(spun.error().blame == Blame::learner);
    CHECK(spun.error().code == out_of_cpu_code);
    CHECK(spun.error().title == "checking it took more than 1 s of processor time");
    const auto waited = ended(
        stub,
        []() -> wire::Fields {
            sleep(1000);
            return {};
        },
        1);
    CHECK(waited.error().blame == Blame::host);
    const auto crashed = ended(stub, []() -> wire::Fields {
        raise(SIGSEGV);
        return {};
    });
    CHECK(crashed.error().blame == Blame::kit);
    const auto thrown = ended(stub, []() -> wire::Fields { throw std::runtime_error("no such register"); });
    CHECK(thrown.error().blame == Blame::kit);
    CHECK(thrown.error().facts.front() == "no such register");
    const auto said = ended(stub, []() -> wire::Fields {
        return wire::to_fields(Diagnostic{.blame = Blame::host,
                                          .code = "no_nvrtc",
                                          .title = "no NVRTC",
                                          .marks = {},
                                          .facts = {"a", "b"},
                                          .help = "install it"});
    });
    CHECK(said.error().blame == Blame::host);
    CHECK(said.error().facts == std::vector<std::string>{"a", "b"});
    Stub elsewhere;
    elsewhere.target.path = "no/such/file.cu";
    CHECK(ended(elsewhere, []() -> wire::Fields { return {}; }).error().code == "no_such_file");
}

TEST_CASE("a result from outside is this stage's, and worth no more than the stage") {
    const Stub stub;
    const auto stage = stage_from(R"({"assignment": "other", "stage": "open", "source": "/etc/passwd", "sha256": "0",
        "score": {"correctness": 1e9, "technique": -5, "performance": "all", "total": 1e9, "max": 1e9}})",
                                  stub.target);
    REQUIRE(stage);
    CHECK((*stage)["assignment"] == "transpose");
    CHECK((*stage)["stage"] == "padding");
    CHECK((*stage)["source"] == stub.target.path);
    const auto& score = (*stage)["score"];
    CHECK(score["correctness"] == stub.target.stage->correctness_points);
    CHECK(score["technique"] == 0);
    CHECK(score["performance"] == 0);
    CHECK(score["total"] == stub.target.stage->max_points());
    CHECK(score["max"] == stub.target.stage->max_points());
    for (const std::string& nonsense :
         {std::string(), std::string("null"), std::string("[]"), std::string("{}"), std::string(R"({"score": 1})"),
          std::string("{\"score\": {}"), std::string(1'000'000, '['), std::string("\xff\xfe")}) {
        const auto read = stage_from(nonsense, stub.target);
        REQUIRE_FALSE(read);
        CHECK(read.error().blame == Blame::kit);
    }
    std::string deep = R"({"score": {}, "x": )";
    for (int i = 0; i < 100'000; ++i) deep += "{\"x\":";
    CHECK_FALSE(stage_from(deep, stub.target));
}

TEST_CASE("text from outside moves no cursor") {
    RenderStyle plain, coloured;
    coloured.use_colour = true;
    const std::string red = "\x1b[1;31mred\x1b[0m\n";
    CHECK(harmless(red, coloured) == red);
    CHECK(harmless(red, plain) == "\\x1b[1;31mred\\x1b[0m\n");
    CHECK(harmless("caf\xc3\xa9 \xe2\x94\x82\n", plain) == "caf\xc3\xa9 \xe2\x94\x82\n");
    CHECK(harmless("\x1b[2J\x1b]0;x\x07\x1b[31", coloured) == "\\x1b[2J\\x1b]0;x\\x07\\x1b[31");
    CHECK(harmless("a\rb\xe2\x80\xae\xff", coloured) == "a\\x0db\\u202e\\xff");
}

TEST_CASE("a stage is graded behind walls as in the open, its reference beside it, with a card and without") {
    if (test::lacks_nvrtc()) return;
    const bool has_card = GENERATE(false, true);
    CAPTURE(has_card);
    std::optional<test::MadeUpCard> made_up;
    if (has_card) made_up.emplace();
    Stub stub;
    SharedOptions options;
    options.device = has_card ? "cuda" : "virtual";
    MeasureOptions few;
    few.warm_ups = 1;
    few.samples = few.most_samples = 3;
    auto machine = open_machine(options, stub.course, few);
    REQUIRE(machine);
    Target target = stub.target;
    target.path = target.assignment->solutions + "/" + target.stage->file;
    GradeOptions grade;
    grade.shapes = {*find_problem(target.stage->problem)->parse_shape("256x256")};
    machine->add_to(grade);
    const auto graded = [&] {
        auto result = grade_stage(*target.assignment, *target.stage, target.path, *machine->virtual_gpu, grade);
        if (!result) FAIL(result.error().title);
        auto json = json_of(*result);
        json.erase("seconds");
        json["compile"].erase("seconds");
        for (auto& one : json["bandwidth_by_class"]) one.erase("seconds_spent");
        json["bandwidth"].erase("seconds_spent");
        return json_text(json);
    };
    const auto walled = behind_walls(*machine, target, [&]() -> wire::Fields { return {graded()}; });
    INFO((walled ? std::string() : walled.error().title + walled.error().facts.at(0)));
    REQUIRE(walled);
    const std::string open = graded();
    CHECK(walled->front() == open);
    CHECK(nlohmann::ordered_json::parse(open)["bandwidth"]["share_of_reference"] == Approx(1));
}
