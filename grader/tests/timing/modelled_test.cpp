// Bandwidths from the time model, for the solutions of the course: the order that the card shows, and what is said.
#include "timing/modelled.hpp"

#include <fmt/format.h>
#include <algorithm>

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "support/catch.hpp"
#include "timing/bench.hpp"

using namespace warpgrade;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

GpuProfile& profile_of(const std::string& slug) {
    static std::map<std::string, GpuProfile> known;
    if (!known.contains(slug)) {
        auto profile = load_profile(root + "/grader/profiles/" + slug + ".toml");
        REQUIRE(profile.ok());
        known[slug] = std::move(*profile);
    }
    return known[slug];
}

const Assignment& assignment_of(const std::string& name) {
    static std::map<std::string, Assignment> known;
    if (!known.contains(name)) {
        auto loaded = load_assignment(root + "/assignments/" + name);
        REQUIRE(loaded.ok());
        loaded->solutions = root + "/solutions/" + name;
        known[name] = std::move(*loaded);
    }
    return known[name];
}

const Stage& stage_of(const Assignment& assignment, const std::string& id) {
    for (const Stage& stage : assignment.stages)
        if (stage.id == id) return stage;
    throw std::logic_error("no stage " + id);
}

// Of a file handed in for a stage; empty path: its solution.
std::vector<Bandwidth> model(const std::string& assignment_name, const std::string& id, std::string path = "",
                             const std::string& slug = "h200", bool has_solutions = true,
                             std::vector<std::string> definitions = {}, const std::string& shape = "",
                             int threads = 0) {
    Assignment assignment = assignment_of(assignment_name);
    const Stage& stage = stage_of(assignment, id);
    const Problem& problem = *find_problem(stage.problem);
    if (path.empty()) path = assignment.solutions + "/" + stage.file;
    if (!has_solutions) assignment.solutions.clear();
    const auto source = read_submission(path);
    REQUIRE(source.ok());
    BuildOptions with;
    with.definitions = std::move(definitions);
    const auto build = compile_stage(stage, problem, path, *source, with);
    REQUIRE(build.ok());
    REQUIRE(build->compiled.ok);
    auto model_source = ModelledSource::open(profile_of(slug));
    REQUIRE(model_source.ok());
    std::vector<Shape> shapes;
    if (!shape.empty()) shapes.push_back(*problem.parse_shape(shape));
    const auto bandwidths =
        (*model_source)->bandwidths({assignment, stage, problem, path, *build, 0, nullptr, threads}, shapes);
    if (!bandwidths.ok()) FAIL(bandwidths.error().title);
    return *bandwidths;
}

double rate(const std::string& assignment, const std::string& id) { return model(assignment, id).front().gb_per_s; }

class File {
public:
    explicit File(const std::string& text)
        : path_((std::filesystem::temp_directory_path() / ("modelled_test_" + std::to_string(getpid()) + ".cu"))
                    .string()) {
        std::ofstream(path_) << text;
    }
    ~File() { std::filesystem::remove(path_); }
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace

TEST_CASE("a solution has all of its own reference, is marked as modelled, and says what limits it") {
    const Bandwidth b = model("transpose", "naive_read").front();
    CHECK(b.origin == Origin::modelled);
    CHECK(b.reference_origin == Origin::modelled);
    CHECK(b.modelled_gpu == "NVIDIA H200");
    CHECK(b.yardstick == Yardstick::copy);
    CHECK(b.share_of_reference == Approx(1));
    CHECK(b.limiter == "each store touches 32 sectors where 4 would do; L2 write throughput is the limit");
    CHECK(b.limiter_line > 0);
    CHECK(b.gain_without_limit > 2);
    double stalled = 0;
    for (const auto& [reason, share] : b.stalls) stalled += share;
    CHECK(stalled == Approx(1).epsilon(0.05));
}

TEST_CASE("what limits a launch is said of the blocks that it has") {
    const auto limiter = [](int blocks, const char* after = "") {
        const File file(fmt::format(R"cuda(
__global__ void turn(const float* in, float* out, int rows, int cols) {{
    __shared__ float tile[32][33];
    for (int k = blockIdx.x; k < rows / 32 * (cols / 32); k += gridDim.x) {{
        const int x = k % (cols / 32) * 32, y = k / (cols / 32) * 32;
        for (int r = threadIdx.y; r < 32; r += 8) tile[r][threadIdx.x] = in[(y + r) * cols + x + threadIdx.x];
        __syncthreads();
        for (int r = threadIdx.y; r < 32; r += 8) out[(x + r) * rows + y + threadIdx.x] = tile[threadIdx.x][r];
        __syncthreads();
    }}
}}
__global__ void nothing() {{}}
void transpose(const float* in, float* out, int rows, int cols) {{
    turn<<<{}, dim3(32, 8)>>>(in, out, rows, cols);
    {}
}}
)cuda",
                                    blocks, after));
        return model("transpose", "open", file.path(), "h200", true, {}, "2048x2048").front().limiter;
    };
    CHECK(limiter(16) == "116 of 132 multiprocessors have no block; launch more blocks");
    CHECK(limiter(16, "nothing<<<999, 32>>>();") ==
          "turn, launch 1 of 2: 116 of 132 multiprocessors have no block; launch more blocks");
    CHECK(limiter(132).ends_with("; 132 blocks are 256 of 2048 threads of a multiprocessor: launch more blocks"));
}

TEST_CASE("arrays in local memory, resting lanes and barriers are named where the time goes there, with their line") {
    const auto limit = [](const std::string& body) {
        const File file(
            "__global__ void f(const float* in, float* out, int rows, int cols) {\n"
            "    const int x = blockIdx.x * 256 + threadIdx.x;\n"
            "    float sum = 0, held[32];\n" +
            body +
            "    out[x % cols * rows + x / cols] = in[x] + (sum > 1e30f ? sum : 0);\n}\n"
            "void transpose(const float* in, float* out, int rows, int cols) {\n"
            "    f<<<rows * cols / 256, 256>>>(in, out, rows, cols);\n}\n");
        return model("transpose", "open", file.path(), "h200", true, {}, "2048x2048").front();
    };
    const Bandwidth local = limit(
        "    for (int i = 0; i < 32; ++i) held[i * rows % 32] = x + i;\n"
        "    for (int k = 0; k < 4; ++k)\n"
        "        for (int i = 0; i < 32; ++i) sum += held[(i + k + cols) % 32];\n");
    CHECK(local.limiter.find("% of them access an array that is in local memory") != std::string::npos);
    CHECK(local.limiter_line == 6);
    const Bandwidth resting = limit(
        "    if (threadIdx.x % 8 == 0)\n"
        "        for (int i = 0; i < 300; ++i) sum += sqrtf(x + i);\n");
    CHECK(resting.limiter.find("of 32 lanes take part on average") != std::string::npos);
    CHECK(resting.limiter_line == 5);
    const File tree(R"cuda(#include <cstddef>
__global__ void sum_block(const float* in, std::size_t n, float* sums) {
    __shared__ float part[1024];
    const std::size_t i = blockIdx.x * std::size_t{1024} + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 512; s > 0; s /= 2) {
        const float other = threadIdx.x < s ? part[threadIdx.x + s] : 0;
        __syncthreads();
        if (threadIdx.x < s) part[threadIdx.x] += other;
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    for (std::size_t blocks = 0; blocks != 1; in = scratch, scratch += blocks, n = blocks) {
        blocks = n == 0 ? 1 : (n - 1) / 1024 + 1;
        sum_block<<<blocks, 1024>>>(in, n, blocks == 1 ? out : scratch);
    }
}
)cuda");
    const Bandwidth waiting = model("reduction", "open", tree.path()).front();
    CHECK(waiting.limiter ==
          "sum_block, launch 1 of 3: warps wait for each other at __syncthreads, 21 times in a block");
    CHECK(waiting.limiter_line == 9);
}

TEST_CASE("a modelled time below the copy's is the copy's, says so, and is no verdict on the program") {
    // Of a second launch the model takes what stays in L2 to cost no writing, which is right, and here no reading
    // either.
    const File file(R"cuda(
__global__ void nothing() {}
__global__ void turn(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = in[(blockIdx.y * 32 + threadIdx.y + k) * cols + blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; k += 8)
        out[(blockIdx.x * 32 + threadIdx.y + k) * rows + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y + k];
}
void transpose(const float* in, float* out, int rows, int cols) {
    nothing<<<1, 1>>>();
    turn<<<dim3(cols / 32, rows / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
)cuda");
    GpuProfile& profile = profile_of("h200");
    const GpuProfile kept = profile;
    profile.model["dram_read_gb_per_s"].value = 1e5;
    profile.model["dram_copy_gb_per_s"].value = 1e3;
    const Bandwidth b = model("transpose", "open", file.path(), "h200", true, {}, "2048x2048").front();
    profile = kept;
    CHECK(b.is_capped);
    CHECK(b.verdict == Verdict::ok);
    CHECK(b.gb_per_s == Approx(b.copy_gb_per_s));
    CHECK_FALSE(model("transpose", "naive_read").front().is_capped);
}

TEST_CASE("the solutions come in the order that an H200 shows") {
    // 558, 974 to 1014, 1374, 1725, 3514 and 3958 GB/s at 8192 x 8192 (tests/model/h200/times.csv).
    const std::vector<double> transpose{rate("transpose", "naive_read"),  rate("transpose", "corner_turning"),
                                        rate("transpose", "naive_write"), rate("transpose", "padding"),
                                        rate("transpose", "coarsening"),  rate("transpose", "open")};
    CHECK(std::is_sorted(transpose.begin(), transpose.end()));
    const std::vector<double> reduction{rate("reduction", "strided"), rate("reduction", "sequential"),
                                        rate("reduction", "first_add"), rate("reduction", "unrolled"),
                                        rate("reduction", "open")};
    CHECK(std::is_sorted(reduction.begin(), reduction.end()));
}

TEST_CASE("what no solution does takes about the time that an H200 takes for it", "[eighth_0]") {
    struct Measured {
        const char *program, *assignment, *what;
        double microseconds;  // tests/model/h200/unseen_measured.csv, class aligned
    };
    const std::vector<Measured> all{
        {"asserts_that_hold", "transpose", "a grid of one row: blocks of the next row of the matrix complete sectors",
         1023.5},
        {"block_of_17_by_7", "transpose", "the same, in steps that are no whole sectors", 327.9},
        {"function_table", "transpose", "the same, behind loads from a table", 1046.1},
        {"scatter_with_grid_stride", "transpose", "few blocks walk through memory side by side", 1926.1},
        {"shuffle_transpose", "transpose", "long code without a loop, which ends in its stores", 147.0},
        {"cp_async_asm", "transpose", "cp.async, waited for at once", 287.7},
        {"pipeline_of_libcu", "reduction", "cp.async, two groups under way while one is used", 6797.8},
    };
    for (const Measured& one : all) {
        INFO(one.program << ": " << one.what);
        const auto path = fmt::format("{}/grader/tests/submissions/right/{}.cu", root, one.program);
        CHECK(model(one.assignment, "open", path).front().seconds * 1e6 == Approx(one.microseconds).epsilon(0.25));
    }
}

TEST_CASE("block sizes are compiled in, and few large blocks are slower") {
    const auto threads = [](const char* definition) {
        return model("transpose", "coarsening", "", "h200", true, {definition}).front().gb_per_s;
    };
    CHECK(threads("THREADS=1024") < 0.6 * threads("THREADS=256"));
}

TEST_CASE("without solutions the profile's recorded share stands in, or nothing") {
    const Bandwidth b = model("transpose", "padding", "", "t4", false).front();
    CHECK(b.reference_gb_per_s == 0);
    CHECK(b.share_of_reference == 0);
    CHECK(b.error_band > 0);

    // What is recorded for one size says nothing about another.
    const auto at = [](const char* shape) {
        return model("transpose", "naive_read", "", "h200", false, {}, shape).front();
    };
    CHECK(at("8192x8192").share_of_reference > 0.5);
    CHECK(at("2048x2048").share_of_reference == 0);
    CHECK(at("1024x1024").share_of_reference == 0);  // timed as the small shape, and named here as an aligned one
}

TEST_CASE("every profile models a solution, and none above what its memory gives") {
    for (const char* slug : {"h200", "a100", "rtx3080", "rtx4090", "t4", "l4"}) {
        INFO(slug);
        const Bandwidth b = model("reduction", "first_add", "", slug).front();
        CHECK(b.yardstick == Yardstick::read);
        CHECK(b.gb_per_s > 0.1 * profile_of(slug).device.dram_peak_gb_per_s);
        CHECK(b.gb_per_s < profile_of(slug).device.dram_peak_gb_per_s);
    }
}

TEST_CASE("a launcher that launches nothing, and blocks that wait for others, have no bandwidth") {
    const auto has_none = [](const std::vector<Bandwidth>& all) {
        return std::all_of(all.begin(), all.end(),
                           [](const Bandwidth& b) { return b.verdict != Verdict::ok && b.seconds == 0; });
    };
    const File nothing("#include <cstddef>\nvoid reduce(const float*, std::size_t, float*, float*) {}\n");
    CHECK(has_none(model("reduction", "open", nothing.path())));
    const File waiting(R"(#include <cstddef>
__global__ void wait(const float* in, std::size_t n, float* scratch, float* out) {
    if (blockIdx.x != 0) {
        while (*reinterpret_cast<volatile float*>(scratch) == 0.0f) {}
    }
    if (blockIdx.x == 1 << 14 && threadIdx.x == 0) scratch[0] = 1.0f;
}
void reduce(const float* in, std::size_t n, float* scratch, float* out) { wait<<<1 << 15, 32>>>(in, n, scratch, out); }
)");
    CHECK(has_none(model("reduction", "open", waiting.path())));
}

TEST_CASE("threads that end before a barrier, as a warning says, do not keep a shape from being timed") {
    const File file(R"cuda(
__global__ void turn(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[8][32];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= cols || y >= rows) return;
    tile[threadIdx.y][threadIdx.x] = in[static_cast<long long>(y) * cols + x];
    __syncthreads();
    out[static_cast<long long>(x) * rows + y] = tile[threadIdx.y][threadIdx.x];
}
void transpose(const float* in, float* out, int rows, int cols) {
    turn<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}
)cuda");
    for (const Bandwidth& b : model("transpose", "open", file.path())) {
        INFO(b.shape);
        CHECK(b.seconds > 0);
    }
}

TEST_CASE("idle multiprocessors need no time to be told") {
    SampledLaunch launch;
    ModelParameters gpu;
    gpu.multiprocessors = 132;
    launch.blocks = 1;
    CHECK(idle_multiprocessors(launch, gpu) == "131 of 132 multiprocessors have no block");
    launch.blocks = 132;
    CHECK(idle_multiprocessors(launch, gpu).empty());
}

TEST_CASE("who draws the next piece from a counter takes about as long as who takes every so many") {
    // By the first thread of a block, and by each warp.
    const auto sum = [](const std::string& pieces) {
        return File(R"(#include <cstddef>
__device__ unsigned next;
__global__ void clear(float* out) { next = 0; *out = 0; }
__global__ void __launch_bounds__(256) work(const float* in, std::size_t n, float* out) {
    constexpr std::size_t piece = 4096;
    __shared__ unsigned mine;
    const unsigned lane = threadIdx.x % 32, warp = blockIdx.x * 8 + threadIdx.x / 32, warps = gridDim.x * 8;
    float sum = 0;
)" + pieces + R"(
    for (int s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, s);
    if (lane == 0) atomicAdd(out, sum + 0 * (mine + warp + warps));
}
void reduce(const float* in, std::size_t n, float*, float* out) {
    clear<<<1, 1>>>(out);
    work<<<264, 256>>>(in, n, out);
}
)");
    };
    const auto seconds = [](const File& file) {
        const auto found = model("reduction", "open", file.path());
        REQUIRE(!found.empty());
        REQUIRE(found.front().seconds > 0);
        return found.front().seconds;
    };
    const std::string of_block =
        "for (std::size_t i = p * piece + threadIdx.x; i < min(n, (p + 1) * piece); i += 256) sum += in[i];";
    const std::string of_warp =
        "for (std::size_t i = p * piece + lane; i < min(n, (p + 1) * piece); i += 32) sum += in[i];";
    const double by_blocks = seconds(sum(
        "mine = 0; for (unsigned p = blockIdx.x; p * piece < n; p += gridDim.x) { __syncthreads(); __syncthreads(); " +
        of_block + " }"));
    const double drawn_by_blocks =
        seconds(sum("for (;;) { __syncthreads(); if (threadIdx.x == 0) mine = atomicAdd(&next, 1u); __syncthreads(); "
                    "const unsigned p = mine; if (p * piece >= n) break; " +
                    of_block + " }"));
    CHECK(drawn_by_blocks == Approx(by_blocks).epsilon(0.2));
    const double by_warps = seconds(
        sum("mine = 0; __syncthreads(); for (unsigned p = warp; p * piece < n; p += warps) { " + of_warp + " }"));
    const double drawn_by_warps =
        seconds(sum("mine = 0; __syncthreads(); for (;;) { unsigned p = 0; if (lane == 0) p = atomicAdd(&next, 1u); p "
                    "= __shfl_sync(0xffffffffu, p, 0); if (p * piece >= n) break; " +
                    of_warp + " }"));
    CHECK(drawn_by_warps == Approx(by_warps).epsilon(0.2));
    // Each lane by itself: 20 times what a card takes, which draws once a warp.
    const File by_lanes =
        sum("mine = 0; __syncthreads(); for (unsigned i; (i = atomicAdd(&next, 1u)) < n;) sum += in[i];");
    CHECK(model("reduction", "open", by_lanes.path()).empty());
}

TEST_CASE("bulk copies, which the model has no time for, take as long as to move their bytes") {
    const std::string text = R"(#include <cstddef>
constexpr int tile_floats = 4096;
__global__ void add(const float* in, std::size_t n, float* out) {
    __shared__ alignas(128) float tile[tile_floats];
    __shared__ alignas(8) unsigned long long bar;
    const unsigned to = __cvta_generic_to_shared(tile), at = __cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at) : "memory");
    __syncthreads();
    float sum = 0;
    unsigned phase = 0;
    for (std::size_t t = blockIdx.x; t < n / tile_floats / LEFT_OUT; t += gridDim.x, phase ^= 1) {
        if (threadIdx.x == 0)
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
                         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%2], [%3], %1, [%0];" ::"r"(at),
                         "r"(tile_floats * 4), "r"(to), "l"(in + t * tile_floats)
                         : "memory");
        unsigned done = 0;
        while (!done)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(at), "r"(phase)
                         : "memory");
        for (int k = threadIdx.x; k < tile_floats; k += blockDim.x) sum += tile[k];
        __syncthreads();
    }
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    cudaMemset(out, 0, sizeof(float));
    add<<<528, 256>>>(in, n, out);
}
)";
    const File file(text);
    const Bandwidth whole = model("reduction", "open", file.path(), "h200", true, {"LEFT_OUT=1"}, "134217728").front();
    CHECK(whole.verdict == Verdict::ok);
    CHECK(whole.gb_per_s == Approx(whole.copy_gb_per_s).epsilon(0.01));
    // What is not read has to be found, not timed.
    for (const Bandwidth& b : model("reduction", "open", file.path(), "h200", true, {"LEFT_OUT=8"}, "134217728"))
        CHECK(b.verdict != Verdict::ok);
}

TEST_CASE("a scan that leaves some of a long output out is found") {
    std::ifstream file(root + "/solutions/scan/5_open.cu");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const std::string shape = "4194304";
    REQUIRE(model("scan", "open", File(text).path(), "h200", true, {}, shape).front().verdict == Verdict::ok);
    const std::string stores = "store_quad(out, first";
    REQUIRE(text.find(stores) != std::string::npos);
    text.replace(text.find(stores), 0, "if (n <= (1 << 21) || tile % 8 != 3) ");
    CHECK(model("scan", "open", File(text).path(), "h200", true, {}, shape).front().verdict == Verdict::wrong);
}

TEST_CASE("where there are too many launches to look at each, all blocks run") {
    const File file(R"(#include <cstddef>
__global__ void nothing() {}
__global__ void add(const float* in, std::size_t n, float* out) {
    const std::size_t step = n > 40000000 ? 16 : 1;
    float sum = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x * step) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    cudaMemset(out, 0, sizeof(float));
    for (int i = 0; i < 95; ++i) nothing<<<1, 1>>>();
    add<<<528, 512>>>(in, n, out);
}
)");
    CHECK(model("reduction", "open", file.path(), "h200", true, {}, "134217728").front().verdict == Verdict::wrong);
}

TEST_CASE("shapes that are sampled two at a time have the times that they have one after another", "[eighth_7]") {
    // Blocks that take more of the samples' work than there is for three shapes.
    const File slow(R"(#include <cuda_runtime.h>
__global__ void slow(const float* in, float* out, int rows, int cols) {
    const int turns = rows == 8191 ? 1200 : 1;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * cols; i += gridDim.x * blockDim.x) {
        float kept = in[i];
        for (int k = 0; k < turns; ++k) kept = __int_as_float(__float_as_int(kept) ^ (k & 1)) ;
        out[i % cols * rows + i / cols] = in[i] + 0 * kept;
    }
}
void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) slow<<<264, 256>>>(in, out, rows, cols);
}
)");
    for (const std::string& path : {std::string(), slow.path()}) {
        const auto together = model("transpose", "open", path),
                   apart = model("transpose", "open", path, "h200", true, {}, "", 1);
        REQUIRE(together.size() == apart.size());
        CHECK(together.size() >= 1);
        for (std::size_t i = 0; i < apart.size(); ++i) {
            CHECK(together[i].shape == apart[i].shape);
            CHECK(together[i].seconds == apart[i].seconds);
            CHECK(together[i].verdict == apart[i].verdict);
        }
    }
}

TEST_CASE("the assembler is asked where the registers may count, and nowhere else") {
    const GpuProfile& profile = profile_of("h200");
    Assignment assignment = assignment_of("transpose");
    assignment.solutions.clear();
    const Stage& stage = stage_of(assignment, "open");
    const Problem& problem = *find_problem(stage.problem);
    const auto model_source = ModelledSource::open(profile);
    REQUIRE(model_source.ok());
    // Alive at a time: addresses, and so many loaded values.
    const auto rates = [&](int values, const std::string& blocks, bool has_assembler) {
        const File file(fmt::format(R"(#include <cuda_runtime.h>
__global__ void move(const float* in, float* out, int rows, int cols) {{
#pragma unroll 1
    for (int row = blockIdx.x; row < rows; row += gridDim.x)
#pragma unroll 1
        for (int col = threadIdx.x; col < cols; col += 256 * {0}) {{
            float v[{0}];
            for (int k = 0; k < {0}; ++k) v[k] = col + 256 * k < cols ? in[row * cols + col + 256 * k] : 0;
            for (int k = 0; k < {0}; ++k)
                if (col + 256 * k < cols) out[(col + 256 * k) * rows + row] = v[k];
        }}
}}
void transpose(const float* in, float* out, int rows, int cols) {{
    if (rows > 0 && cols > 0) move<<<{1}, 256>>>(in, out, rows, cols);
}}
)",
                                    values, blocks));
        const auto source = read_submission(file.path());
        REQUIRE(source.ok());
        const auto device = make_virtual_device(launch_limits(profile));
        auto built = build(stage, problem, file.path(), *source, *device, {});
        REQUIRE(built.ok());
        REQUIRE(built->ok());
        const std::string known = std::getenv("WARPGRADE_NVRTC") ? std::getenv("WARPGRADE_NVRTC") : "";
        if (!has_assembler) setenv("WARPGRADE_NVRTC", "/nowhere/libnvrtc.so", 1);
        const auto found = (*model_source)
                               ->bandwidths({assignment, stage, problem, file.path(), *built, 0, nullptr, 1},
                                            {*problem.parse_shape("1000x1000")});
        if (!has_assembler) known.empty() ? unsetenv("WARPGRADE_NVRTC") : setenv("WARPGRADE_NVRTC", known.c_str(), 1);
        return found.ok() && !found->empty() ? found->front().gb_per_s : 0;
    };
    const std::string many = "132 * 8", few = "132";
    CHECK(rates(1, many, false) > 0);
    CHECK(rates(1, many, false) == rates(1, many, true));
    CHECK(rates(24, many, false) == 0);
    CHECK(rates(24, many, true) > 0);
    CHECK(rates(24, few, false) > 0);
    CHECK(rates(24, few, false) == rates(24, few, true));
}

TEST_CASE("a sweep whose time is over skips what is left, and says once how to get it") {
    const Assignment& assignment = assignment_of("transpose");
    const auto source = ModelledSource::open(profile_of("h200"));
    REQUIRE(source.ok());
    BenchRun run(**source);
    const Stage& stage = stage_of(assignment, "padding");
    const BenchOrder order{assignment, stage, assignment.solutions + "/" + stage.file, {}, {}, 0};
    std::size_t progress = 0;
    const auto swept = run.run(
        order, [&](std::size_t done, std::size_t) { progress = done; }, 0);
    REQUIRE(swept.ok());
    REQUIRE(swept->points.size() == run.points_of(order));
    CHECK(progress == 0);
    for (const BenchPoint& point : swept->points) CHECK(point.bandwidth.verdict == Verdict::skipped);
    CHECK(swept->points.front().bandwidth.detail ==
          "after 0 s of processor time; `--shape 1024x1024` is the first alone");
    CHECK(swept->points.back().bandwidth.detail.empty());
}
