// A whole grading with a card, the made-up one: its times are computed from sectors, so they are the same every time.
#include <filesystem>
#include <fstream>

#include "calibrate/calibrate.hpp"
#include "compile/support.hpp"
#include "grade/stage_grader.hpp"
#include "support/catch.hpp"
#include "support/made_up_card.hpp"
#include "timing/bench.hpp"
#include "timing/measure.hpp"

using namespace warpgrade;
namespace fs = std::filesystem;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

const std::vector<Assignment>& course() {
    static const auto loaded = load_course(root);
    REQUIRE(loaded);
    return *loaded;
}

// Few samples of small shapes; the made-up card repeats itself exactly.
class OnCard {
public:
    explicit OnCard(const GpuProfile* profile = nullptr) {
        auto opened = Card::open();
        REQUIRE(opened);
        card = std::move(*opened);
        MeasureOptions few;
        few.warm_ups = 1;
        few.samples = 3;
        few.most_samples = 8;
        measurer = std::make_unique<Measurer>(*card, profile, few);
    }
    Result<StageResult> try_grade(const std::string& stage, const std::string& path,
                                  const std::vector<const char*>& shapes,
                                  const std::vector<Assignment>& of = course()) {
        const auto match = find_stage(of, stage);
        REQUIRE(match);
        GradeOptions options;
        options.seed = 11;
        options.card = card.get();
        options.bandwidths = measurer.get();
        for (const char* shape : shapes)
            options.shapes.push_back(*find_problem(match->stage->problem)->parse_shape(shape));
        const auto device = make_virtual_device();
        return grade_stage(*match->assignment, *match->stage, path, *device, options);
    }
    StageResult grade(const std::string& stage, const std::string& path, const char* shape) {
        auto result = try_grade(stage, path, {shape});
        if (!result) FAIL(result.error().title << " " << (result.error().facts.empty() ? "" : result.error().facts[0]));
        return std::move(*result);
    }
    std::unique_ptr<Card> card;
    std::unique_ptr<Measurer> measurer;

private:
    test::MadeUpCard made_up_;
};

std::string solution(const char* path) { return root + "/solutions/" + path; }

// A file with this text, as the submission of a stage.
struct Submission {
    test::TemporaryFolder folder;
    std::string path;
    Submission(const std::string& name, const std::string& text) {
        path = (fs::path(folder.path()) / name).string();
        std::ofstream(path) << text;
    }
};

}  // namespace

TEST_CASE("a reference on the card has all its points, and the figures that go with them") {
    if (test::lacks_nvrtc()) return;
    OnCard on_card;
    const StageResult result = on_card.grade("transpose/padding", solution("transpose/4_padding.cu"), "128x96");
    CHECK(result.score.performance == Approx(2));
    REQUIRE(result.bandwidth);
    const Bandwidth& b = *result.bandwidth;
    CHECK(b.origin == Origin::measured);
    CHECK(b.verdict == Verdict::ok);
    CHECK(b.shape == "128 x 96");
    CHECK(b.shape_class == "aligned");
    CHECK(b.share_of_reference == Approx(1));
    CHECK(b.reference_origin == Origin::measured);
    CHECK(b.samples == 3);
    CHECK(b.gb_per_s == Approx(2 * 128 * 96 * 4 / b.seconds / 1e9));
    CHECK(b.copy_gb_per_s >= b.gb_per_s);
    CHECK(result.cases.back().variant == "on Made-up GPU");
    CHECK(result.cases.back().verdict == Verdict::pass);
    CHECK(result.seconds.timing > 0);
    CHECK(result.seconds.on_virtual_gpu > 0);
}

TEST_CASE("what keeps the card for long gets few samples") {
    if (test::lacks_nvrtc()) return;
    MeasureOptions options;
    CHECK(options.few_samples < options.samples);
    options.slow_seconds = 0;  // all are
    OnCard on_card;
    on_card.measurer = std::make_unique<Measurer>(*on_card.card, nullptr, options);
    const StageResult result = on_card.grade("transpose/padding", solution("transpose/4_padding.cu"), "128x96");
    REQUIRE(result.bandwidth);
    CHECK(result.bandwidth->samples == options.few_samples);
    CHECK(result.score.performance == Approx(2));
}

TEST_CASE("what is wrong on the virtual GPU does not run on the card, and counts there as well") {
    if (test::lacks_nvrtc()) return;
    OnCard on_card;
    const auto verdicts = [&](const std::string& path) {
        std::vector<std::string> all;
        const auto result = on_card.try_grade("transpose/padding", path, {"128x96", "33x65"});
        REQUIRE(result);
        for (const CaseResult& one : result->cases)
            all.push_back(std::string(to_string(one.verdict)) + (one.variant.empty() ? "" : " on card"));
        return all;
    };
    using Verdicts = std::vector<std::string>;
    CHECK(verdicts(solution("transpose/4_padding.cu")) == Verdicts{"pass", "pass", "pass on card", "pass on card"});
    const std::string kernel = R"(
__global__ void copy(const float* in, float* out, int rows, int cols) {
    for (int i = 0; i < cols; ++i)
        for (int j = 0; j < rows; ++j) out[i * rows + j] = in[j * cols + i];
}
void transpose(const float* in, float* out, int rows, int cols) { if (WHERE) copy<<<1, 1>>>(in, out, rows, cols); })";
    const auto guarded = [&](const std::string& guard) {
        const Submission submission("4_padding.cu", "#define WHERE " + guard + kernel);
        return verdicts(submission.path);
    };
    CHECK(guarded("rows > 100") == Verdicts{"pass", "wrong", "pass on card", "skipped on card"});
    CHECK(guarded("false") == Verdicts{"wrong", "wrong", "skipped on card", "skipped on card"});
    CHECK(guarded("no C++") == Verdicts{"skipped", "skipped", "skipped on card", "skipped on card"});
}

TEST_CASE("a slow kernel loses performance points by its share of the reference") {
    if (test::lacks_nvrtc()) return;
    OnCard on_card;
    // 32 sectors a store for the reference's 4: between a fourth and a fifth of its bandwidth, below the band.
    const StageResult result = on_card.grade("transpose/padding", solution("transpose/1_naive_read.cu"), "128x96");
    REQUIRE(result.bandwidth);
    CHECK(result.bandwidth->share_of_reference == Approx(0.23).margin(0.03));
    CHECK(result.score.performance == 0);
}

TEST_CASE("a reduction of two launches is timed as one graph, against a read") {
    if (test::lacks_nvrtc()) return;
    OnCard on_card;
    const StageResult result = on_card.grade("reduction/multiple", solution("reduction/6_multiple.cu"), "50000");
    REQUIRE(result.bandwidth);
    CHECK(result.launches.size() == 2);
    CHECK(result.bandwidth->memcpy_gb_per_s == 0);
    CHECK(result.bandwidth->gb_per_s == Approx(50000 * 4 / result.bandwidth->seconds / 1e9));
    CHECK(result.bandwidth->copy_gb_per_s > result.bandwidth->gb_per_s);
    CHECK(result.score.performance == Approx(3));
}

TEST_CASE("a sum that is remembered from the call before is wrong where it is timed") {
    if (test::lacks_nvrtc()) return;
    OnCard on_card;
    const Submission cheat("6_multiple.cu", R"(
#include <cstddef>
__device__ float remembered = 0;
__device__ int is_known = 0;
__global__ void sum(const float* in, std::size_t n, float* out) {
    if (!is_known) {
        float total = 0;
        for (std::size_t i = 0; i < n; ++i) total += in[i];
        remembered = total;
        is_known = 1;
    }
    out[0] = remembered;
}
void reduce(const float* in, std::size_t n, float* scratch, float* out) { sum<<<1, 1>>>(in, n, out); }
)");
    const StageResult result = on_card.grade("reduction/multiple", cheat.path, "3000");
    CHECK(result.cases.front().verdict == Verdict::pass);  // each case is a new start
    CHECK_FALSE(result.bandwidth);
    REQUIRE(result.bandwidths.size() == 1);
    CHECK(result.bandwidths[0].verdict == Verdict::wrong);
    CHECK(result.score.performance == 0);
    CHECK_FALSE(result.passes());
    bool is_said = false;
    for (const Diagnostic& finding : result.findings)
        is_said |= finding.title == "the output is wrong on a shape that is timed";
    CHECK(is_said);
}

TEST_CASE("a launcher that asks for a variable's address is given the card's") {
    if (test::lacks_nvrtc()) return;
    OnCard on_card;
    const Submission right("6_multiple.cu", R"(
#include <cstddef>
#include <cuda_runtime.h>
__device__ float before[1000], partial[64];
__global__ void sums(const float* in, std::size_t n, float* to) {
    float sum = 0;
    for (std::size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) to[blockIdx.x] = sum;
}
void reduce(const float* in, std::size_t n, float*, float* out) {
    void* place = nullptr;
    if (cudaGetSymbolAddress(&place, partial) != cudaSuccess) return;
    sums<<<64, 32>>>(in, n, static_cast<float*>(place));
    sums<<<1, 32>>>(static_cast<float*>(place), 64, out);
}
)");
    const StageResult result = on_card.grade("reduction/multiple", right.path, "3000");
    CHECK(result.cases.front().verdict == Verdict::pass);
    CHECK(result.findings.empty());
}

TEST_CASE("what is faster than the copy is impossible, and waits for a person") {
    if (test::lacks_nvrtc()) return;
    OnCard on_card;
    // The made-up card charges for loads and stores through the pipe that it counts, and copies of 16 bytes go another
    // way.
    const Submission cheat("8_open.cu", R"(
#include <cuda_runtime.h>
__global__ void turn(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][36];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (threadIdx.x % 4 == 0 && x < cols && y < rows) {
        const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.y][threadIdx.x]));
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + y * cols + x));
    }
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    const int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
    if (u < rows && v < cols) out[v * rows + u] = tile[threadIdx.x][threadIdx.y];
}
void transpose(const float* in, float* out, int rows, int cols) {
    turn<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(in, out, rows, cols);
}
)");
    const StageResult result = on_card.grade("transpose/open", cheat.path, "256x256");
    REQUIRE(result.bandwidth);
    CHECK(result.bandwidth->verdict == Verdict::impossible);
    CHECK(result.score.performance == 0);
    CHECK(result.score.state == ScoreState::impossible);
    CHECK_FALSE(result.passes());
    CHECK(result.findings.front().code == "impossible_bandwidth");
}

TEST_CASE("without solutions the profile's share of the copy stands in, and the marks are provisional") {
    if (test::lacks_nvrtc()) return;
    GpuProfile profile;
    profile.name = "Made-up GPU";
    profile.references = {{"transpose/padding", "aligned", "128 x 96", 1, 0.5, 0}};
    OnCard on_card(&profile);
    std::vector<Assignment> package = course();
    for (Assignment& assignment : package) assignment.solutions.clear();
    const auto result = on_card.try_grade("transpose/padding", solution("transpose/4_padding.cu"), {"128x96"}, package);
    REQUIRE(result);
    REQUIRE(result->bandwidth);
    const Bandwidth& b = *result->bandwidth;
    CHECK(b.reference_origin == Origin::profile);
    CHECK(b.reference_gb_per_s == Approx(b.copy_gb_per_s / 2));
    CHECK(result->score.performance == Approx(2));
    CHECK(result->score.state == ScoreState::provisional);

    OnCard unknown;
    const auto open = unknown.try_grade("transpose/padding", solution("transpose/4_padding.cu"), {"128x96"}, package);
    REQUIRE(open);
    CHECK(open->score.performance == 0);
    CHECK(open->score.state == ScoreState::provisional);
    CHECK(open->bandwidth->reference_gb_per_s == 0);
}

TEST_CASE("bench times a file with its own block and with others, and compares it with the naive one") {
    if (test::lacks_nvrtc()) return;
    OnCard on_card;
    const auto match = find_stage(course(), "transpose/coarsening");
    REQUIRE(match);
    BenchRun run(*on_card.measurer);
    const Shape shape = *find_problem("transpose")->parse_shape("96x64");
    BenchOrder order{
        *match->assignment, *match->stage, solution("transpose/5_coarsening.cu"), {shape}, {64, 256}, 1, true};
    CHECK(run.points_of(order) == 2);
    std::size_t told = 0;
    const auto stage = run.run(order, [&](std::size_t done, std::size_t) { told = done; });
    REQUIRE(stage);
    CHECK(told == 2);
    REQUIRE(stage->points.size() == 2);
    CHECK(stage->findings.empty());
    for (const BenchPoint& point : stage->points) {
        CHECK(point.naive_gb_per_s > 0);
        CHECK(point.speedup_over_naive() > 2);
        CHECK(point.cpu_gb_per_s > 0);
        CHECK(point.elements_per_s == Approx(96 * 64 / point.bandwidth.seconds));
        CHECK(point.share_of_copy() <= 1);
    }
    BenchReport report;
    report.stages.push_back(*stage);
    const auto json = json_of(report);
    CHECK(json["schema"] == "warpgrade.bench/1");
    CHECK(json["stages"][0]["points"][1]["threads"] == 256);
    CHECK(json["stages"][0]["points"][0]["shape"] == nlohmann::json::array({96, 64}));

    order.threads = {100};
    const auto wrong = run.run(order, [](std::size_t, std::size_t) {});
    REQUIRE(wrong);
    CHECK(wrong->points.empty());
    REQUIRE(wrong->findings.size() == 1);
    CHECK(wrong->findings[0].title == "the file does not compile with THREADS=100");
}
