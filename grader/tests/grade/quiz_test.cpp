#include "grade/quiz.hpp"

#include <algorithm>

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

TEST_CASE("a question is asked once for a line and an access, about what was traced") {
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

    const auto questions = quiz_questions(result);
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
    CHECK(quiz_questions(StageResult()).empty());
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
    const auto questions = quiz_questions(result);
    REQUIRE(questions.size() > 6);
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

TEST_CASE("answers are read from the last line of a file that holds some, and written there") {
    const std::string kernel = "__global__ void k() {}\n";
    CHECK(quiz_answers_in(kernel).empty());
    CHECK(quiz_answers_in("// quiz 1=1024 2=32 x 3= =4 0=1 4=-1\n" + kernel) == QuizAnswers{{1, 1024}, {2, 32}});
    CHECK(quiz_answers_in("// quiz 1=1\r\n" + kernel + "// quiz 1=2").at(1) == 2);
    CHECK(quiz_answers_in("int x;  // quiz 1=1\n").empty());
    CHECK(quiz_answers_in("// quizzes 1=1\n").empty());

    const QuizAnswers answers{{1, 7}, {12, 18446744073709551615u}};
    CHECK(quiz_line(answers) == "// quiz 1=7 12=18446744073709551615");
    const std::string kept = with_quiz_line(kernel, answers);
    CHECK(kept == kernel + "// quiz 1=7 12=18446744073709551615\n");
    CHECK(quiz_answers_in(kept) == answers);
    CHECK(with_quiz_line(kept, {{2, 3}}) == kernel + "// quiz 2=3\n");
    CHECK(with_quiz_line("int x;", {{2, 3}}) == "int x;\n// quiz 2=3\n");
}

TEST_CASE("answers to questions that are not asked count for nothing") {
    std::vector<QuizQuestion> questions(3);
    for (std::size_t i = 0; i < questions.size(); ++i) questions[i].answer = 10 * (i + 1);
    const QuizMark mark = quiz_mark(questions, {{1, 10}, {2, 10}, {4, 40}});
    CHECK(mark.questions == 3);
    CHECK(mark.answered == 2);
    CHECK(mark.right == 1);
    CHECK(quiz_mark({}, {{1, 10}}).right == 0);
}
