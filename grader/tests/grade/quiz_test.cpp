#include "grade/quiz.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "course/source_text.hpp"
#include "device/device.hpp"
#include "grade/stage_grader.hpp"
#include "support/catch.hpp"

using namespace warpgrade;

namespace {

// The question with this id, or one with no id.
QuizQuestion find(const std::vector<QuizQuestion>& questions, const std::string& id) {
    const auto at =
        std::find_if(questions.begin(), questions.end(), [&](const QuizQuestion& one) { return one.id == id; });
    return at == questions.end() ? QuizQuestion{} : *at;
}

StageResult explained(const std::string& stage_name, const std::string& file, const Shape& shape) {
    static const auto course = load_course(WARPGRADE_SOURCE_DIR);
    REQUIRE(course.ok());
    const auto match = find_stage(*course, stage_name);
    REQUIRE(match.ok());
    const auto device = make_virtual_device();
    GradeOptions options;
    options.shapes = {shape};
    auto result = explain_stage(*match->assignment, *match->stage, std::string(WARPGRADE_SOURCE_DIR) + "/" + file,
                                *device, options);
    REQUIRE(result.ok());
    return std::move(*result);
}

vgpu::Access access_of(ptx::Space space, vgpu::AccessKind kind, std::uint32_t units) {
    vgpu::Access access;
    access.line = 7;
    access.space = space;
    access.kind = kind;
    access.width_bytes = 4;
    access.mask = 0xFFFFFFFF;
    access.units = units;
    access.buffer = space == ptx::Space::global ? "in" : "tile";
    for (std::size_t lane = 0; lane < 32; ++lane) access.addresses[lane] = 128 * lane;
    return access;
}

}  // namespace

TEST_CASE("a question of each kind is asked, about what was traced") {
    StageResult result;
    result.counters_shape.extents = {64, 96};
    LaunchInfo launch;
    launch.kernel = "k";
    launch.grid = {3, 2, 1};
    launch.block = {16, 16, 1};
    result.launches = {launch};
    const auto load = access_of(ptx::Space::global, vgpu::AccessKind::read, 32);
    auto partial = access_of(ptx::Space::shared, vgpu::AccessKind::write, 4);
    partial.mask = 0x00000007;
    result.trace = {load, load, partial};

    const auto questions = quiz_questions(result, Stage());
    CHECK(find(questions, "blocks").answer == 6);
    CHECK(find(questions, "warps").answer == 8);
    CHECK(find(questions, "sectors:7:global:load").answer == 32);
    CHECK(find(questions, "element:7:global:load").answer == 5 * 32);
    CHECK(find(questions, "element:7:global:load").text.find("thread (5, 0, 0)") != std::string::npos);
    CHECK(find(questions, "lanes:7:shared:store").answer == 3);
    CHECK(find(questions, "wavefronts:7:shared:store").answer == 4);
    CHECK(find(questions, "bank:7:shared:store").answer == 0);
    CHECK(find(questions, "lanes:7:global:load").id.empty());
    CHECK(questions.size() == 7);
    for (const QuizQuestion& question : questions) CHECK_FALSE(question.how.empty());
    CHECK(questions[1].working == "256 threads / 32");
    CHECK(quiz_questions(StageResult(), Stage()).empty());
}

TEST_CASE("of several lines for one kind of question the one with the largest answer is asked about") {
    StageResult result;
    result.counters_shape.extents = {64, 96};
    result.launches = {LaunchInfo()};
    const auto at = [](int line, std::uint32_t units) {
        auto access = access_of(ptx::Space::global, vgpu::AccessKind::read, units);
        access.line = line;
        return access;
    };
    const auto asked = [&] {
        for (const QuizQuestion& question : quiz_questions(result, Stage()))
            if (question.unit == "sectors") return question.id + fmt::format(" {}", question.answer);
        return std::string();
    };
    result.trace = {at(5, 1), at(6, 8), at(7, 8), at(5, 32)};
    CHECK(asked() == "sectors:7:global:load 8");  // line 5 has 1 when it is reached first; of equals the last
    result.trace_ends = {2, 4};
    CHECK(asked() == "sectors:6:global:load 8");  // in the first launch
}

TEST_CASE("banks are asked about from the stage on whose handout has them") {
    StageResult result;
    result.launches = {LaunchInfo()};
    result.trace = {access_of(ptx::Space::shared, vgpu::AccessKind::read, 32)};
    Stage stage;
    CHECK(quiz_questions(result, stage).size() == 4);
    stage.quiz_banks = false;
    CHECK(quiz_questions(result, stage).size() == 2);
}

TEST_CASE("the line that limits a kernel is asked for where the model names one") {
    StageResult result;
    CHECK_FALSE(quiz_limit_question(result));
    result.bandwidth.emplace();
    CHECK_FALSE(quiz_limit_question(result));
    result.bandwidth->limiter_line = 19;
    result.bandwidth->modelled_gpu = "NVIDIA H200";
    REQUIRE(quiz_limit_question(result));
    CHECK(quiz_limit_question(result)->answer == 19);
}

TEST_CASE("the answers about a solution are its counters") {
    Shape shape;
    shape.extents = {64, 96};
    const StageResult result = explained("transpose/corner_turning", "solutions/transpose/3_corner_turning.cu", shape);
    const auto questions = quiz_questions(result, Stage());
    REQUIRE(questions.size() > 6);
    CHECK(questions.size() <= 8);
    for (const QuizQuestion& question : questions) {
        if (!question.access || (question.unit != "sectors" && question.unit != "wavefronts")) continue;
        const auto line = std::find_if(result.by_line.begin(), result.by_line.end(),
                                       [&](const vgpu::LineCounters& one) { return one.line == question.line; });
        REQUIRE(line != result.by_line.end());
        const vgpu::Counters& c = line->counters;
        const bool is_load = question.access->kind == vgpu::AccessKind::read;
        // Whole tiles: every warp does what the first one does.
        if (question.unit == "sectors")
            CHECK(question.answer * (is_load ? c.global_load_requests : c.global_store_requests) ==
                  (is_load ? c.global_load_sectors : c.global_store_sectors));
        else
            CHECK(question.answer * (is_load ? c.shared_load_requests : c.shared_store_requests) ==
                  (is_load ? c.shared_load_wavefronts : c.shared_store_wavefronts));
    }
}

TEST_CASE("answers are read from a line of the file that is about the code as it is") {
    const std::string kernel = "__global__ void k() {}\n", line = "// quiz " + code_digest(kernel);
    CHECK(quiz_answers_in(kernel).answers.empty());
    CHECK_FALSE(quiz_answers_in(kernel).has_those_of_old);
    CHECK(quiz_answers_in(line + " 1=1024 2=32 x 3= =4 0=1 4=-1\n" + kernel).answers ==
          QuizAnswers{{1, 1024}, {2, 32}});
    CHECK(quiz_answers_in("int x;  " + line + " 1=1\n").answers.empty());
    CHECK_FALSE(quiz_answers_in("// quizzes 1=1\n// quiz me\n").has_those_of_old);

    const QuizAnswers answers{{1, 7}, {12, 18446744073709551615u}};
    const std::string kept = with_quiz_line(kernel, answers);
    CHECK(kept == kernel + line + " 1=7 12=18446744073709551615\n");
    CHECK(quiz_answers_in(kept).answers == answers);
    CHECK(quiz_answers_in("/* mine */" + kept).answers == answers);
    CHECK(with_quiz_line(kept, {{2, 3}}) == kernel + line + " 2=3\n");
    CHECK(with_quiz_line("int x;", {{2, 3}}) == "int x;\n// quiz " + code_digest("int x;") + " 2=3\n");
}

TEST_CASE("the first answer to a question counts, and no answer to other code") {
    const std::string kernel = "__global__ void k() {}\n", line = "// quiz " + code_digest(kernel);
    CHECK(quiz_answers_in(line + " 1=1 1=2\r\n" + kernel + line + " 1=3").answers.at(1) == 1);
    const std::string other = with_quiz_line(kernel + "int x;\n", {{1, 5}});
    const std::string both = with_quiz_line(with_quiz_line(kernel, {{1, 7}}) + "int x;\n", {{1, 5}});
    CHECK(quiz_answers_in(both).answers.at(1) == 5);
    CHECK(std::count(both.begin(), both.end(), '/') == 4);  // the code that was goes on having its line
    CHECK(quiz_answers_in(other + "int y;\n").answers.empty());
    CHECK(quiz_answers_in(other + "int y;\n").has_those_of_old);
    CHECK(quiz_answers_in("// quiz 1=1\n" + kernel).has_those_of_old);
}

TEST_CASE("answers to questions that are not asked count for nothing") {
    std::vector<QuizQuestion> questions(3);
    for (std::size_t i = 0; i < questions.size(); ++i) questions[i].answer = 10 * (i + 1);
    const QuizMark mark = quiz_mark(questions, {{{1, 10}, {2, 10}, {4, 40}}});
    CHECK(mark.questions == 3);
    CHECK(mark.answered == 2);
    CHECK(mark.right == 1);
    CHECK_FALSE(mark.is_of_old_code);
    CHECK(quiz_mark({}, {{{1, 10}}}).right == 0);
    CHECK(quiz_mark(questions, {{}, true}).is_of_old_code);
}
