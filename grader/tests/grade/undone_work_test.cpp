// Programs that do at timed sizes a part of the work that they do where their output is compared: no points for what
// was not done.
#include <fstream>
#include <iterator>

#include "compile/support.hpp"
#include "grade/stage_grader.hpp"
#include "support/catch.hpp"
#include "timing/modelled.hpp"

using namespace warpgrade;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

// `look` reads all of the data for nothing, as fast as it goes, and `sum` adds up what there is in blocks, of which no
// more than `most` are launched. No branch of the launcher tells: the fewer of the two comes of shifts.
std::string sum_of_at_most(int most) {
    return R"(#include <cuda_runtime.h>
#include <cstddef>
constexpr int T = 256, EACH = 16;
__global__ void look(const float* in, float* scratch, std::size_t n) {
    float v = 0;
    const std::size_t first = blockIdx.x * std::size_t(T * EACH);
    for (int k = 0; k < EACH; ++k)
        if (first + k * T + threadIdx.x < n) v += in[first + k * T + threadIdx.x];
    if (v == 1.2345e30f) scratch[0] = v;
}
__global__ void sum(const float* in, float* scratch, std::size_t n) {
    __shared__ float s[T];
    const std::size_t i = blockIdx.x * std::size_t(T) + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = T / 2; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) scratch[blockIdx.x] = s[0];
}
__global__ void rest(const float* scratch, int blocks, float* out) {
    __shared__ float s[1024];
    float v = 0;
    for (int i = threadIdx.x; i < blocks; i += 1024) v += scratch[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int d = 512; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[0] = s[0];
}
void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    const int blocks = int((n + T - 1) / T), over = blocks - )" +
           std::to_string(most) + R"(, some = blocks - (over & ~(over >> 31));
    if (n == 0) {
        cudaMemset(out, 0, sizeof(float));
        return;
    }
    look<<<int((n - 1) / (T * EACH)) + 1, T>>>(in, scratch, n);
    sum<<<some, T>>>(in, scratch, n);
    rest<<<1, 1024>>>(scratch, some, out);
}
)";
}

StageResult graded(const std::string& text, const char* stage = "reduction/open", bool runs_timed = false) {
    test::TemporaryFolder folder;
    const auto course = load_course(root);
    REQUIRE(course);
    const auto match = find_stage(*course, stage);
    REQUIRE(match);
    const auto profile = load_profile(root + "/grader/profiles/h200.toml");
    REQUIRE(profile);
    const auto model = ModelledSource::open(*profile);
    REQUIRE(model);
    GradeOptions options;
    options.bandwidths = model->get();
    options.runs_timed = runs_timed;
    const auto device = make_virtual_device();
    auto result = grade_stage(*match->assignment, *match->stage, folder.write("submission.cu", text), *device, options);
    if (!result) FAIL(result.error().title);
    return std::move(*result);
}

}  // namespace

TEST_CASE("a kernel of which too little is launched where it is timed has no bandwidth, and it is said why") {
    if (test::lacks_nvrtc()) return;
    const StageResult honest = graded(sum_of_at_most(1 << 30));
    REQUIRE(honest.bandwidth);
    CHECK(honest.bandwidth->seconds > 0);
    const StageResult capped = graded(sum_of_at_most(70'000));  // of 65536 in the shape between, and 524288 if timed
    CHECK_FALSE(capped.bandwidth);
    CHECK(capped.why_untimed.find("reads a smaller part of the data here") != std::string::npos);
}

std::string scan_with(const std::string& old, const std::string& text) {
    std::ifstream file(root + "/solutions/scan/5_open.cu");
    std::string all{std::istreambuf_iterator<char>(file), {}};
    REQUIRE(all.find(old) != std::string::npos);
    return all.replace(all.find(old), old.size(), text);
}

// What the sampled blocks draw is from anywhere but the end.
TEST_CASE("a scan that leaves its last tiles out where it is long is found wrong when all blocks run, on each shape",
          "[eighth_2]") {
    if (test::lacks_nvrtc()) return;
    const std::string drawn = "    const int tile = drawn;\n";
    const std::string text = scan_with(drawn, drawn + "    if (n >> 23 != 0 && tile >= (n / TILE) / 10 * 9) return;\n");
    const StageResult result = graded(text, "scan/open", true);
    REQUIRE(result.bandwidths.size() > 1);
    for (const Bandwidth& one : result.bandwidths) CHECK(one.verdict == Verdict::wrong);
    CHECK(result.score.performance == 0);
}

TEST_CASE("a scan whose blocks do not look back where it is long has no points for its speed", "[eighth_6]") {
    if (test::lacks_nvrtc()) return;
    const std::string text =
        scan_with("= look_back(published, tile);", "= n >> 23 != 0 ? 0 : look_back(published, tile);");
    const StageResult result = graded(text, "scan/open");
    CHECK(result.score.correctness > 8);
    CHECK(result.score.performance == 0);
}
