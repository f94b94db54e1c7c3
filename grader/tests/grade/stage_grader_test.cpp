// The whole way from source text to a score, on the virtual GPU. Needs NVRTC; says so where it is missing.
#include "grade/stage_grader.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "explain/telling.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "build/submission.hpp"
#include "compile/support.hpp"
#include "grade/evidence.hpp"
#include "run/cases.hpp"
#include "support/catch.hpp"

using namespace warpgrade;
namespace fs = std::filesystem;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

struct Graded {
    StageResult result;
    bool has_finding(const std::string& code) const {
        return std::any_of(result.findings.begin(), result.findings.end(),
                           [&](const Diagnostic& d) { return d.code == code; });
    }
    const Diagnostic& finding(const std::string& code) const {
        for (const Diagnostic& d : result.findings)
            if (d.code == code) return d;
        FAIL("no finding " << code);
        throw 0;
    }
    int count(Verdict verdict) const {
        return static_cast<int>(std::count_if(result.cases.begin(), result.cases.end(),
                                              [&](const CaseResult& c) { return c.verdict == verdict; }));
    }
};

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

Graded grade_file(const std::string& name, const std::string& file, const GradeOptions& options = {}) {
    const auto course = load_course(root);
    REQUIRE(course);
    const auto match = find_stage(*course, name);
    REQUIRE(match);
    const auto device = make_virtual_device();
    auto result = grade_stage(*match->assignment, *match->stage, file, *device, options);
    if (!result) FAIL(result.error().code << ": " << result.error().title);
    return {std::move(*result)};
}

Graded grade_text(const std::string& name, const std::string& text, const GradeOptions& options = {}) {
    test::TemporaryFolder folder;
    return grade_file(name, folder.write("submission.cu", text), options);
}

// A correct corner turning in a few lines, to be broken.
const std::string corner_turning = R"(
__global__ void turn(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    turn<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(in, out, rows, cols);
}
)";

GradeOptions small_shapes() {
    GradeOptions options;
    for (const auto& [rows, cols] : {std::pair{33, 65}, std::pair{64, 64}}) {
        Shape shape;
        shape.extents = {rows, cols};
        shape.shape_class = "odd";
        options.shapes.push_back(shape);
    }
    return options;
}

Graded grade_broken(const std::string& from, const std::string& to) {
    return grade_text("transpose/corner_turning", replaced(corner_turning, from, to), small_shapes());
}

}  // namespace

TEST_CASE("an untouched stub is said to be one, and what to do first") {
    if (test::lacks_nvrtc()) return;
    const Graded stub = grade_file("transpose/padding", root + "/assignments/transpose/4_padding.cu", small_shapes());
    CHECK(stub.result.is_untouched_stub);
    CHECK(stub.result.score.total == 0);
    CHECK(stub.result.findings.at(0).code == "untouched_stub");
    CHECK(stub.result.findings.at(0).help.starts_with("Copy your kernel of stage 3 in"));
}

TEST_CASE("shapes of one's own change what is checked and counted, not what the rules are about") {
    if (test::lacks_nvrtc()) return;
    GradeOptions odd;
    odd.shapes.resize(1);
    odd.shapes[0].extents = {1000, 777};  // rows start anywhere in a sector: 4.8 sectors a request
    const Graded padding = grade_file("transpose/padding", root + "/solutions/transpose/4_padding.cu", odd);
    CHECK(padding.result.passes());
    CHECK(padding.result.cases.size() == 1);
    CHECK(padding.result.counters_shape.extents == odd.shapes[0].extents);
    CHECK(padding.result.counters.global_load_sectors > 41 * padding.result.counters.global_load_requests / 10);
    CHECK(padding.result.technique_shape.extents == std::vector<std::int64_t>{1024, 1024});
    CHECK(padding.result.technique[0].value == 1);
    CHECK(padding.result.score.state == ScoreState::provisional);

    // Rules about several shapes.
    const Graded tile = grade_file("transpose/dynamic_tile", root + "/solutions/transpose/6_dynamic_tile.cu", odd);
    CHECK(tile.result.passes());
    odd.shapes[0].extents = {1000};
    const Graded grid = grade_file("reduction/multiple", root + "/solutions/reduction/6_multiple.cu", odd);
    CHECK(grid.result.passes());
    CHECK(grid.result.technique[0].rule == "blocks_growth <= 1.01");
    CHECK(grid.result.technique[0].value == 1);  // whatever the second launch, which loads none of the input, has
    const Graded growing =
        grade_file("reduction/multiple", root + "/grader/tests/submissions/wrong_technique/grid_grows.cu", odd);
    CHECK(!growing.result.technique[0].ok);
}

TEST_CASE("a right submission has counters, launches and points") {
    if (test::lacks_nvrtc()) return;
    const Graded graded =
        grade_text("transpose/corner_turning", text_of(fs::path(root) / "solutions/transpose/3_corner_turning.cu"));
    CHECK(graded.result.passes());
    CHECK(graded.result.score.state == ScoreState::provisional);
    CHECK(graded.result.counters.global_load_requests == 32768);
    CHECK(graded.result.counters.global_load_sectors == 4 * 32768);
    CHECK(graded.result.counters.shared_load_wavefronts == 32 * 32768);
    REQUIRE(graded.result.launches.size() == 1);
    CHECK(graded.result.launches[0].block == vgpu::Dim3{32, 32, 1});
    CHECK(!graded.result.by_line.empty());
    CHECK(graded.result.sha256.size() == 64);
}

TEST_CASE("the same seed gives the same cases and points") {
    if (test::lacks_nvrtc()) return;
    GradeOptions options;
    options.seed = 12345;
    RunReport reports[2];
    for (RunReport& report : reports) {
        Graded graded = grade_text("reduction/sequential",
                                   text_of(fs::path(root) / "assignments/reduction/3_sequential.cu"), options);
        graded.result.compile_seconds = 0;
        graded.result.seconds = {};
        graded.result.source_path = "";
        report.stages.push_back(std::move(graded.result));
    }
    CHECK(json_of(reports[0]) == json_of(reports[1]));
}

TEST_CASE("a missing guard is found with its line, thread and index") {
    if (test::lacks_nvrtc()) return;
    const Graded graded = grade_broken("if (x < cols && y < rows) tile", "tile");
    const Diagnostic& fault = graded.finding("out_of_bounds");
    CHECK(fault.title == "read past the end of `in`");
    REQUIRE(!fault.marks.empty());
    CHECK(fault.marks[0].line == 5);
    CHECK(fault.marks[0].label.find("in[2145], but in has 33 x 65 = 2145 elements") == 0);
    CHECK(graded.count(Verdict::fault) == 1);
    CHECK(graded.count(Verdict::pass) == 1);
    CHECK(!graded.result.passes());
}

TEST_CASE("why the rules were not measured is said as it was") {
    if (test::lacks_nvrtc()) return;
    const auto why = [](const std::string& from, const std::string& to) {
        const Graded graded = grade_text("transpose/corner_turning", replaced(corner_turning, from, to));
        return graded.result.technique.at(0).says;
    };
    CHECK(why("if (x < cols && y < rows) tile", "tile") ==
          "not measured: the technique shape was not run, as the submission failed on 63 x 65 and two more shapes: "
          "fix that first");
    CHECK(why("__syncthreads();", "for (int k = 0; k < 5; k *= 2) __syncthreads();") ==
          "not measured: the technique shape was not run, as the submission did not end on 64 x 96: fix that first");
    CHECK(why("tile[threadIdx.x][threadIdx.y]", "tile[threadIdx.y][threadIdx.x]") ==
          "not measured: the output is wrong on the technique shape");
    CHECK(why("    turn<<<", "    if (rows < 1024) turn<<<") ==
          "not measured: the output is wrong on the technique shape");
    CHECK(why("dim3(32, 32)>>>", "rows == 1024 ? dim3(32, 64) : dim3(32, 32)>>>") ==
          "not measured: the submission failed on the technique shape");
    CHECK(why("__syncthreads();", "__syncthreads()") == "not measured: the submission cannot be run");
}

TEST_CASE("a stage has as many cases for a wrong submission as for a right one", "[eighth_5]") {
    if (test::lacks_nvrtc()) return;
    const auto names = [](const Graded& graded) {
        std::vector<std::string> all;
        for (const CaseResult& one : graded.result.cases) all.push_back(describe_case(one.shape) + one.variant);
        return all;
    };
    const auto solution = [](const char* path) { return text_of(fs::path(root) / "solutions/transpose" / path); };
    const auto expected = names(grade_text("transpose/corner_turning", solution("3_corner_turning.cu")));
    CHECK(expected.size() == 32);
    for (const auto& [from, to] : {std::pair{"__syncthreads();", "for (int k = 0; k < 5; k *= 2) __syncthreads();"},
                                   std::pair{"if (x < cols && y < rows) tile", "tile"},
                                   std::pair{"tile[threadIdx.x][threadIdx.y]", "tile[threadIdx.y][threadIdx.x]"},
                                   std::pair{"dim3(32, 32)>>>", "rows == 1024 ? dim3(32, 64) : dim3(32, 32)>>>"},
                                   std::pair{"__syncthreads();", "__syncthreads()"}}) {
        INFO(to);
        CHECK(names(grade_text("transpose/corner_turning", replaced(corner_turning, from, to))) == expected);
    }
    // A stage with a sweep, and one with types.
    const auto sweep = names(grade_text("transpose/coarsening", solution("5_coarsening.cu")));
    CHECK(names(grade_text("transpose/coarsening", replaced(corner_turning, "__syncthreads();", ""))) == sweep);
    CHECK(names(grade_text("transpose/coarsening", "no C++")) == sweep);
    const std::string any_type = solution("7_any_type.cu");
    const auto types = names(grade_text("transpose/any_type", any_type));
    CHECK(names(grade_text("transpose/any_type", replaced(any_type, "__syncthreads();", ""))) == types);
    const std::string wrong_for_bytes = replaced(any_type, "<<<", "<<<sizeof(T) == 1 ? dim3(1) : ");
    CHECK(names(grade_text("transpose/any_type", wrong_for_bytes)) == types);
    CHECK(names(grade_text("transpose/any_type", "no C++")) == types);
}

TEST_CASE("a missing barrier is a race with both lines") {
    if (test::lacks_nvrtc()) return;
    const Graded graded = grade_broken("    __syncthreads();\n", "\n");
    const Diagnostic& race = graded.finding("race_shared");
    REQUIRE(race.marks.size() == 2);
    CHECK(std::min(race.marks[0].line, race.marks[1].line) == 5);
    CHECK(std::max(race.marks[0].line, race.marks[1].line) == 8);
    CHECK(race.title.find("`tile`") != std::string::npos);
    CHECK(!graded.has_finding("uninitialized"));
}

TEST_CASE("evidence tells what the check told, and what is known before anything is timed is handed on") {
    if (test::lacks_nvrtc()) return;
    const auto in_short = [](const StageResult& result) {
        std::vector<std::string> all;
        for (const Diagnostic& d : result.findings) {
            all.push_back(d.code + ": " + d.title + " | " + d.help);
            for (const SourceMark& mark : d.marks) all.push_back(std::to_string(mark.line) + " " + mark.label);
            all.insert(all.end(), d.facts.begin(), d.facts.end());
        }
        return all;
    };
    const auto course = load_course(root);
    REQUIRE(course);
    const auto match = find_stage(*course, "transpose/corner_turning");
    for (const auto& [from, to] :
         {std::pair{"    __syncthreads();\n", "\n"}, std::pair{"x < cols && y < rows", "x <= cols && y < rows"},
          std::pair{"tile[threadIdx.x][threadIdx.y];", "tile[threadIdx.y][threadIdx.x];"}}) {
        INFO(to);
        test::TemporaryFolder folder;
        const std::string file = folder.write("submission.cu", replaced(corner_turning, from, to));
        Evidence evidence;
        std::vector<std::string> before;
        GradeOptions options = small_shapes();
        options.evidence = &evidence;
        options.on_checked = [&](const StageResult& so_far) { before = in_short(so_far); };
        const StageResult told = grade_file("transpose/corner_turning", file, options).result;
        REQUIRE(!told.findings.empty());
        CHECK(before == in_short(told));
        options.evidence = nullptr;
        const Evidence read = evidence_from(json_of(evidence));
        CHECK(in_short(told_again(*match->assignment, *match->stage, file, options, read)) == in_short(told));
    }
}

TEST_CASE("the length of a tile's rows is tried before it is advised") {
    if (test::lacks_nvrtc()) return;
    const auto said = [](const std::string& text) {
        const Graded graded = grade_text("transpose/padding", text);
        CHECK(graded.count(Verdict::pass) == std::ssize(graded.result.cases));
        const Diagnostic& banks = graded.finding("bank_conflict");
        return fmt::format("{} | {}", fmt::join(banks.facts, "; "), banks.help);
    };
    const std::string solution = text_of(root + "/solutions/transpose/4_padding.cu");
    const std::string unpadded = replaced(solution, "[TILE][TILE + PADDING]", "[TILE][TILE]");
    const std::string plain = said(unpadded);
    CHECK(plain.find("tried: with rows of 33, the loads take 32768 wavefronts where they took 1048576") != plain.npos);
    CHECK(plain.find("in line 12 make its second dimension 33") != plain.npos);
    // The loads count the rows themselves: longer ones bring other elements.
    const std::string counted = said(
        replaced(unpadded, "= tile[threadIdx.x][threadIdx.y];", "= (&tile[0][0])[threadIdx.x * TILE + threadIdx.y];"));
    CHECK(counted.find("tried:") == counted.npos);
    CHECK(counted.find("make its second dimension") == counted.npos);
}

// A sum that is right here, and a warning: the last warp without __syncwarp, in a function of a function.
const std::string unordered_warp = R"(
#include <cstddef>
__device__ void add(volatile float* p, int tid, int s) {
    p[tid] += p[tid + s];
}
__device__ void last_warp(volatile float* p, int tid) {
    for (int s = 32; s > 0; s /= 2) add(p, tid, s);
}
__global__ void sums(const float* in, size_t n, float* out) {
    __shared__ float partial[64];
    const int tid = threadIdx.x;
    const size_t i = blockIdx.x * 128ull + tid;
    partial[tid] = (i < n ? in[i] : 0.0f) + (i + 64 < n ? in[i + 64] : 0.0f);
    __syncthreads();
    if (tid < 32) last_warp(partial, tid);
    if (tid == 0) atomicAdd(out, partial[0]);
}
void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    sums<<<n / 128 + 1, 64>>>(in, n, out);
}
)";

TEST_CASE("a hazard in a function is told once, at its own line, by both compilations") {
    if (test::lacks_nvrtc()) return;
    const auto course = load_course(root);
    REQUIRE(course);
    const auto match = find_stage(*course, "reduction/unrolled");
    const Problem& problem = *find_problem("reduction");
    const std::string path = "submission.cu";
    for (const bool is_optimised : {true, false}) {
        const auto device = make_virtual_device();
        BuildOptions options;
        options.is_optimised = is_optimised;
        const auto built = build(*match->stage, problem, path, unordered_warp, *device, options);
        REQUIRE((built && built->ok()));
        const Bench bench{problem, *built->program, built->launchers, path, unordered_warp, 1, 1};
        const auto outcome = told_case(bench, problem.few_shapes(1, "float").front());
        REQUIRE(outcome);
        int races = 0;
        for (const vgpu::Finding& finding : outcome->run.result.findings) {
            INFO(vgpu::to_string(finding.kind) << " at line " << finding.place.line << ", optimised: " << is_optimised);
            CHECK(finding.place.line == 4);
            CHECK(finding.place.called_from == 15);
            if (finding.kind == vgpu::FindingKind::race_shared) ++races;
        }
        CHECK(races > 0);
        // Counters are for the line outside of the functions, where one was inlined.
        for (const vgpu::LineCounters& line : outcome->run.result.by_line)
            if (is_optimised && line.counters.shared_load_requests != 0) CHECK(line.line >= 15);
    }

    const Graded graded = grade_text("reduction/unrolled", unordered_warp);
    CHECK(graded.count(Verdict::fault) == 3);  // then the series stops
    int told = 0;
    for (const Diagnostic& finding : graded.result.findings) {
        if (finding.code != "race_shared") continue;
        ++told;
        CHECK(finding.marks.at(0).line == 4);
        CHECK(std::find(finding.facts.begin(), finding.facts.end(), "called from line 15") != finding.facts.end());
    }
    CHECK(told == 1);
}

TEST_CASE("an endless loop is stopped") {
    if (test::lacks_nvrtc()) return;
    const Graded graded = grade_broken("__syncthreads();", "for (int k = 0; k < 5; k *= 2) __syncthreads();");
    CHECK(graded.count(Verdict::timeout) == 1);
    CHECK(graded.count(Verdict::skipped) == 1);
    CHECK(graded.has_finding("timeout"));
}

TEST_CASE("refused launches and looks behind pointers are explained") {
    if (test::lacks_nvrtc()) return;
    const Graded launch = grade_broken("dim3(32, 32)", "dim3(32, 64)");
    CHECK(launch.count(Verdict::launch_error) == 2);
    CHECK(launch.finding("invalid_launch").marks.at(0).line == 12);
    const Graded host = grade_broken("if (rows == 0 || cols == 0)", "if (in[0] == 3.0f)");
    CHECK(host.finding("host_dereference").marks.at(0).line == 11);
}

TEST_CASE("wrong output is recognised end to end") {
    if (test::lacks_nvrtc()) return;
    const Graded graded = grade_broken("tile[threadIdx.x][threadIdx.y]", "tile[threadIdx.y][threadIdx.x]");
    CHECK(graded.count(Verdict::wrong) == 2);
    CHECK(graded.result.cases.back().judgement->pattern == "tile_not_transposed_inside");
    CHECK(graded.result.score.technique == 0);
}

TEST_CASE("the limit of gridDim.y shows on the long thin shape and nowhere else") {
    if (test::lacks_nvrtc()) return;
    const Graded graded = grade_text("transpose/corner_turning", corner_turning);
    CHECK(graded.count(Verdict::launch_error) == 1);
    for (const CaseResult& one : graded.result.cases)
        CHECK(one.verdict ==
              (one.shape.extents == std::vector<std::int64_t>{2097121, 1} ? Verdict::launch_error : Verdict::pass));
}

TEST_CASE("what does not compile has messages and no verdicts") {
    if (test::lacks_nvrtc()) return;
    const Graded graded = grade_broken("__syncthreads();", "__syncthreads()");
    CHECK(!graded.result.compiles);
    CHECK(!graded.result.compiler_messages.empty());
    CHECK(graded.count(Verdict::skipped) == static_cast<int>(graded.result.cases.size()));
    CHECK(graded.result.score.total == 0);
    CHECK(!graded.result.passes());
}

TEST_CASE("a launcher by another name is pointed at") {
    if (test::lacks_nvrtc()) return;
    const Graded graded = grade_broken("void transpose(", "void transpos(");
    CHECK(graded.finding("launcher_missing").help == "rename `transpos` to `transpose`");
    CHECK(graded.result.compiles);
    CHECK(!graded.result.passes());
}

TEST_CASE("a template for many types has to be one") {
    if (test::lacks_nvrtc()) return;
    const Graded graded = grade_text("transpose/any_type", corner_turning, small_shapes());
    CHECK(graded.has_finding("launcher_not_template"));
    CHECK(!graded.result.passes());
}

TEST_CASE("a block size that ignores THREADS does not pass the sweep") {
    if (test::lacks_nvrtc()) return;
    const std::string solution = text_of(fs::path(root) / "solutions/transpose/5_coarsening.cu");
    const Graded graded = grade_text("transpose/coarsening", "#ifdef THREADS\n#undef THREADS\n#endif\n" + solution);
    bool is_told = false;
    for (const CaseResult& one : graded.result.cases)
        is_told = is_told || (one.verdict == Verdict::wrong && one.detail.find("threads a block") != std::string::npos);
    CHECK(is_told);
    CHECK(graded.finding("wrong_output").marks.front().line != 0);
    CHECK(!graded.result.passes());
}

TEST_CASE("what a submission prints is kept, escaped and capped") {
    if (test::lacks_nvrtc()) return;
    const std::string printing =
        replaced(corner_turning, "__syncthreads();",
                 "__syncthreads(); if (threadIdx.x + threadIdx.y == 0) printf(\"\\x1b[2Jhello\\n\");");
    const Graded graded = grade_text("transpose/corner_turning", "#include <cstdio>\n" + printing, small_shapes());
    CHECK(graded.result.output.find("\\x1b[2Jhello\n") != std::string::npos);
    CHECK(graded.result.output.find('\x1b') == std::string::npos);
}

TEST_CASE("explain traces the first warp") {
    if (test::lacks_nvrtc()) return;
    const auto course = load_course(root);
    const auto match = find_stage(*course, "transpose/corner_turning");
    const auto device = make_virtual_device();
    const auto explanation =
        explain_stage(*match->assignment, *match->stage,
                      (fs::path(root) / "solutions/transpose/3_corner_turning.cu").string(), *device, {});
    REQUIRE(explanation);
    CHECK(explanation->trace.size() == 4);
    CHECK(!explanation->source.empty());
    CHECK(!explanation->launches.empty());
}

TEST_CASE("explain traces whole blocks where asked") {
    if (test::lacks_nvrtc()) return;
    const auto course = load_course(root);
    const auto match = find_stage(*course, "transpose/padding");
    const auto device = make_virtual_device();
    GradeOptions options;
    options.traces_whole_blocks = true;
    options.traced_block = vgpu::Dim3{1, 2, 0};
    const auto explanation =
        explain_stage(*match->assignment, *match->stage, (fs::path(root) / "solutions/transpose/4_padding.cu").string(),
                      *device, options);
    REQUIRE(explanation);
    const std::vector<vgpu::Access>& trace = explanation->trace;
    REQUIRE(trace.size() == 3 * 32 * 4);  // blocks, warps, accesses
    CHECK(trace.front().block == vgpu::Dim3{0, 0, 0});
    CHECK(trace[128].block == vgpu::Dim3{1, 2, 0});
    CHECK(trace.back().block == vgpu::Dim3{31, 31, 0});
    CHECK(trace.back().warp == 31);
    CHECK(trace.back().buffer_bytes == 1024 * 1024 * sizeof(float));
    CHECK(!explanation->trace_is_cut);
    REQUIRE(explanation->arrays.size() == 3);
    CHECK(explanation->arrays.back().name == "tile");
    CHECK(explanation->arrays.back().extents == std::vector<std::int64_t>{32, 33});
}

TEST_CASE("what kernels use of CUB is run where the stage allows it") {
    const std::string with_cub = R"(
#include <cub/cub.cuh>
__global__ void add_up(const float* in, float* out, std::size_t n) {
    using Reduce = cub::BlockReduce<float, 256>;
    __shared__ typename Reduce::TempStorage storage;
    float sum = 0;
    for (std::size_t i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
    sum = Reduce(storage).Sum(sum);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
void reduce(const float* in, std::size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    if (n > 0) add_up<<<n < 67584 ? (n + 255) / 256 : 264, 256>>>(in, out, n);
}
)";
    const Graded refused = grade_text("reduction/open", with_cub);
    REQUIRE(refused.result.compiler_messages.size() == 1);
    CHECK(test::mentions(refused.result.compiler_messages[0].message, "the exercise should be done without a library"));

    const auto course = load_course(root);
    REQUIRE(course);
    const auto match = find_stage(*course, "reduction/open");
    REQUIRE(match);
    Stage stage = *match->stage;
    stage.libraries = {"cub"};
    test::TemporaryFolder folder;
    const auto device = make_virtual_device();
    const auto result = grade_stage(*match->assignment, stage, folder.write("submission.cu", with_cub), *device, {});
    REQUIRE(result);
    CHECK(result->findings.empty());
    CHECK(result->score.correctness == stage.correctness_points);
}
