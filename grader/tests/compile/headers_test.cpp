// The shipped headers, CUDA's own beside them, and the runtime calls of a launcher.
#include <algorithm>
#include <vector>

#include "compile/support.hpp"

using namespace warpgrade;
using namespace warpgrade::test;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> shipped_headers() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(WARPGRADE_SOURCE_DIR "/grader/compile/include"))
        if (entry.is_regular_file()) names.push_back(entry.path().filename().string());  // a folder is a library's
    std::sort(names.begin(), names.end());
    return names;
}

std::string includes_of(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += "#include <" + name + ">\n";
    return text;
}

// A launcher with everything a student may reasonably ask of the runtime.
const std::string launcher = R"(
#define CHECK(call)                                                                          \
    do {                                                                                     \
        cudaError_t error = (call);                                                          \
        if (error != cudaSuccess) {                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));   \
            exit(EXIT_FAILURE);                                                              \
        }                                                                                    \
    } while (0)
template <typename T> __global__ void tiled(T* p, std::size_t n) {
    extern __shared__ unsigned char raw[];
    T* tile = reinterpret_cast<T*>(raw);
    tile[threadIdx.x] = p[0];
    __syncthreads();
    p[threadIdx.x] = tile[0];
}
__host__ __device__ inline int both(int x) { return x + 1; }
__host__ int host_only(int x) { return both(x); }
void launch(float* p, std::size_t n) {
    CHECK(cudaMemset(p, 0, n * sizeof(float)));
    CHECK(cudaMemsetAsync(p, 0, n * sizeof(float)));
    CHECK(cudaMemsetAsync(p, 0, n * sizeof(float), 0));
    CHECK(cudaFuncSetAttribute(tiled<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    CHECK(cudaFuncSetCacheConfig(tiled<float>, cudaFuncCachePreferShared));
    int device = 0, count = 0, blocks = 0, grid = 0, block = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tiled<float>, 256, 1024));
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, tiled<float>, 0, 0));
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, device));
    tiled<float><<<dim3(count * blocks, host_only(1)), properties.warpSize, 65536>>>(p, n);
    CHECK(cudaGetLastError());
    tiled<float><<<grid, block, 0, 0>>>(p, n);
    CHECK(cudaPeekAtLastError());
    void* arguments[] = {&p, &n};
    CHECK(cudaLaunchKernel(tiled<float>, dim3(grid), dim3(block), arguments, 1024, 0));
    CHECK(cudaStreamSynchronize(0));
    CHECK(cudaDeviceSynchronize());
}
)";

}  // namespace

TEST_CASE("every shipped header compiles alone, twice, and after all the others") {
    if (lacks_nvrtc()) return;
    const std::vector<std::string> names = shipped_headers();
    CHECK(names.size() >= 27);
    for (const std::string& name : names) {
        INFO(name);
        const CompileOutput output = compiled(includes_of({name, name}) + "int x;\n");
        CHECK(output.ok);
        CHECK(output.messages.empty());
    }
    std::vector<std::string> all = names;
    all.insert(all.end(), names.rbegin(), names.rend());
    CHECK(compiled(includes_of(all)).ok);
}

TEST_CASE("what the standard headers promise holds, at compile time") {
    if (lacks_nvrtc()) return;
    const CompileOutput output = compiled(includes_of(shipped_headers()) + R"(
static_assert(sizeof(std::int8_t) == 1 && sizeof(int16_t) == 2 && sizeof(int32_t) == 4 && sizeof(std::uint64_t) == 8);
static_assert(std::is_same_v<std::uint64_t, std::size_t> && std::is_same_v<int64_t, long>);
static_assert(std::numeric_limits<int>::max() == INT_MAX && std::numeric_limits<int>::min() == INT_MIN);
static_assert(std::numeric_limits<unsigned char>::max() == 255 && std::numeric_limits<unsigned char>::min() == 0);
static_assert(std::numeric_limits<long long>::min() == LLONG_MIN && std::numeric_limits<std::size_t>::max() == SIZE_MAX);
static_assert(std::numeric_limits<float>::max() == FLT_MAX && std::numeric_limits<double>::lowest() == -DBL_MAX);
static_assert(std::numeric_limits<float>::infinity() > FLT_MAX && std::numeric_limits<double>::infinity() > DBL_MAX);
static_assert(std::numeric_limits<float>::quiet_NaN() != std::numeric_limits<float>::quiet_NaN());
static_assert(INFINITY > FLT_MAX && NAN != NAN && HUGE_VAL > DBL_MAX);
static_assert(1.0f + FLT_EPSILON != 1.0f && 1.0f + FLT_EPSILON / 2 == 1.0f);
static_assert(std::min(2, 1) == 1 && std::max({1, 3, 2}) == 3 && std::clamp(5, 1, 3) == 3);
static_assert(std::is_same_v<std::decay_t<const int (&)[3]>, const int*> && std::is_integral_v<const short>);
static_assert(!std::is_integral_v<float> && std::is_floating_point_v<double> && std::is_unsigned_v<unsigned>);
static_assert(std::is_same_v<std::conditional_t<true, int, float>, int> && std::is_pointer_v<int* const>);
static_assert(std::is_same_v<std::common_type_t<int, double>, double> && std::is_trivially_copyable_v<float4>);
static_assert(std::is_same_v<std::make_unsigned_t<int>, unsigned> && std::is_signed_v<int>);
static_assert(std::is_same_v<std::make_index_sequence<3>, std::index_sequence<0, 1, 2>>);
constexpr int swapped() { int a = 1, b = 2; std::swap(a, b); return std::exchange(a, 7) * 10 + b + std::make_pair(1, 2).second; }
static_assert(swapped() == 23);
struct S { char c; int i; };
static_assert(offsetof(S, i) == 4 && sizeof(std::nullptr_t) == 8);
__global__ void k(float* p, double* q) {
    p[0] = std::sqrt(p[1]) + std::abs(p[2]) + std::pow(p[3], 2.0f) + std::fmin(p[1], p[2]) + fabsf(p[3]) + M_PI;
    q[0] = std::sqrt(q[1]) + std::abs(q[2]) + std::floor(q[3]) + std::isnan(q[1]) + max(1, 2) + min(3u, 4u);
    memcpy(p, q, 4); std::memset(p, 0, 4); assert(p != nullptr); std::printf("%d\n", 1); puts("x");
}
)");
    CHECK(output.ok);
}

TEST_CASE("a launcher's runtime calls become the calls the grader records") {
    if (lacks_nvrtc()) return;
    const std::string source =
        "#include <cstddef>\n#include <cstdio>\n#include <cstdlib>\n#include <cuda_runtime.h>\n" + launcher;
    for (bool is_optimised : {true, false}) {
        CompileRequest request = request_for(source);
        request.is_optimised = is_optimised;
        const CompileOutput output = compiled(request);
        REQUIRE(output.ok);
        for (const char* name : {"__warpgrade_memset", "__warpgrade_func_set_attribute", "__warpgrade_get_last_error",
                                 "__warpgrade_peek_last_error", "__warpgrade_device_synchronize",
                                 "__warpgrade_get_attribute", "__warpgrade_occupancy", "__warpgrade_parameter",
                                 "__cudaCDP2GetParameterBufferV2", "__cudaCDP2LaunchDeviceV2"}) {
            INFO(name);
            CHECK(mentions(output.ptx, std::string("func_retval0) ") + name + "\n"));
        }
        // Nothing else is left for somebody to define, but what a kernel prints and asserts with.
        std::size_t externals = 0;
        for (std::size_t at = 0; (at = output.ptx.find(".extern .func", at)) != std::string::npos; ++at) ++externals;
        CHECK(externals == 10 + (mentions(output.ptx, ") vprintf") ? 1 : 0));
    }
    // As nvcc, without any #include.
    CHECK(compiled("#include <cstddef>\n#include <cstdio>\n" + launcher).ok);
}

TEST_CASE("CUDA's own device headers compile beside the shipped ones") {
    if (lacks_nvrtc()) return;
    const std::string cuda_include = find_nvrtc()->cuda_include;
    if (cuda_include.empty()) {
        WARN("skipped: no CUDA headers of NVRTC's version on this machine");
        return;
    }
    std::vector<std::string> names = shipped_headers();
    std::string skipped;
    for (const char* name :
         {"cooperative_groups.h", "cooperative_groups/reduce.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_pipeline.h",
          "cuda/barrier", "cuda/pipeline", "cuda/atomic", "cuda/std/array", "cuda/std/cstdint", "cuda/std/limits",
          "cuda/std/type_traits", "cuda/std/utility", "math_constants.h", "mma.h", "vector_types.h"}) {
        if (fs::exists(fs::path(cuda_include) / name) || fs::exists(fs::path(cuda_include) / "cccl" / name))
            names.push_back(name);
        else
            skipped += std::string(" ") + name;
    }
    if (!skipped.empty()) WARN("not in this toolkit:" << skipped);
    const std::string use =
        "__global__ void g(float* p) { cooperative_groups::this_thread_block().sync(); *p = "
        "__half2float(__float2half(*p)); }\n";
    std::vector<std::string> again = shipped_headers();
    const CompileOutput output = compiled(includes_of(names) + includes_of(again) + use + launcher);
    CHECK(output.ok);
    CHECK(output.messages.empty());
    CHECK(mentions(output.ptx, "\"<cooperative_groups.h>\""));
    CHECK_FALSE(mentions(output.ptx, cuda_include));
}
