// What one part of a GPU does alone: the figures behind [model.*] of a profile. One line a figure, CSV, on standard
// output: name, setting, value, unit. Times are medians of 7 unless the unit is cycles (then of one multiprocessor's
// clock, steady state).
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o microbenchmarks grader/tests/model/microbenchmarks.cu && ./microbenchmarks > microbenchmarks.csv
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#define MUST(call)                                                                                     \
    do {                                                                                               \
        const cudaError_t error = (call);                                                              \
        if (error != cudaSuccess) {                                                                    \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error)); \
            std::exit(1);                                                                              \
        }                                                                                              \
    } while (0)

static cudaEvent_t start_event, stop_event;
static char* flush;
static const std::size_t flush_bytes = std::size_t{256} << 20;
static int processors = 0;

static void report(const std::string& name, const std::string& setting, double value, const char* unit) {
    std::printf("%s,%s,%.6g,%s\n", name.c_str(), setting.c_str(), value, unit);
    std::fflush(stdout);
}

// Median microseconds of 7; cold: after a rewrite of 256 MiB.
static double time_us(const std::function<void()>& launch, bool cold = true, int samples = 7) {
    std::vector<float> times;
    for (int i = -1; i < samples; ++i) {
        if (cold) MUST(cudaMemsetAsync(flush, i, flush_bytes));
        MUST(cudaEventRecord(start_event));
        launch();
        MUST(cudaEventRecord(stop_event));
        MUST(cudaDeviceSynchronize());
        float ms = 0;
        MUST(cudaEventElapsedTime(&ms, start_event, stop_event));
        if (i >= 0) times.push_back(ms * 1000);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

__device__ static std::uint64_t nanoseconds() {
    std::uint64_t t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}
__device__ static unsigned multiprocessor() {
    unsigned id;
    asm volatile("mov.u32 %0, %smid;" : "=r"(id));
    return id;
}

// --- streams through DRAM ---------------------------------------------------------------------------------------------

template <int EACH>
__global__ void read_wide(const float4* in, std::size_t n, float* out) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    float sum = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i + (EACH - 1) * threads < n; i += EACH * threads) {
        float4 v[EACH];
        for (int k = 0; k < EACH; ++k) v[k] = in[i + k * threads];
        for (int k = 0; k < EACH; ++k) sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    if (sum == 12345.678f) out[0] = sum;
}
template <int EACH>
__global__ void read_narrow(const float* in, std::size_t n, float* out) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    float sum = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i + (EACH - 1) * threads < n; i += EACH * threads) {
        float v[EACH];
        for (int k = 0; k < EACH; ++k) v[k] = in[i + k * threads];
        for (int k = 0; k < EACH; ++k) sum += v[k];
    }
    if (sum == 12345.678f) out[0] = sum;
}
template <class T>
__global__ void write_all(T* out, std::size_t n, T value) {
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x) out[i] = value;
}
template <class T>
__global__ void copy_all(const T* in, T* out, std::size_t n) {
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x) out[i] = in[i];
}
__global__ void read_once(const float* in, float* out) {
    if (in[std::size_t{blockIdx.x} * blockDim.x + threadIdx.x] == 12345.678f) out[0] = 1;
}
__global__ void write_once(float* out) { out[std::size_t{blockIdx.x} * blockDim.x + threadIdx.x] = 1.0f; }
__global__ void copy_once(const float* in, float* out) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// --- a chain of dependent loads ----------------------------------------------------------------------------------------

__global__ void chase(const std::uint32_t* next, int steps, int warm, std::uint64_t* cycles, std::uint32_t* out) {
    std::uint32_t at = 0;
    for (int i = 0; i < warm; ++i) at = next[at];
    const std::uint64_t before = clock64(), before_ns = nanoseconds();
    for (int i = 0; i < steps; ++i) at = next[at];
    cycles[0] = clock64() - before;
    cycles[1] = nanoseconds() - before_ns;
    out[0] = at;
}
__global__ void chase_shared(int stride, int steps, std::uint64_t* cycles, std::uint32_t* out) {
    __shared__ std::uint32_t next[4096];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) next[i] = (i + stride) % 4096;
    __syncthreads();
    std::uint32_t at = threadIdx.x * stride % 4096;
    const std::uint64_t before = clock64();
    for (int i = 0; i < steps; ++i) at = next[at];
    if (threadIdx.x == 0) cycles[0] = clock64() - before;
    out[threadIdx.x] = at;
}

// --- L2: sectors a nanosecond ------------------------------------------------------------------------------------------

// Lane l of warp w stores `width` bytes at l * stride + (something of w): every sector of the footprint is visited often.
template <class T>
__global__ void store_strided(char* out, std::size_t footprint, int stride, int rounds, T value) {
    const std::size_t warps = std::size_t{gridDim.x} * blockDim.x / 32;
    const std::size_t warp = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
    const unsigned per = stride / sizeof(T), spans = footprint / (32 * stride);  // a span takes `per` visits to be filled
    const unsigned groups = warps / per, group = warp / per;
    if (group >= groups) return;
    char* const lane = out + threadIdx.x % 32 * std::size_t(stride) + warp % per * sizeof(T);
    unsigned span = group % spans;
    for (int r = 0; r < rounds; ++r) {
        *reinterpret_cast<T*>(lane + std::size_t(span) * 32 * stride) = value;
        span += groups;
        if (span >= spans) span %= spans;
    }
}
template <class T>
__global__ void load_strided(const char* in, std::size_t footprint, int stride, int rounds, float* out) {
    const std::size_t warps = std::size_t{gridDim.x} * blockDim.x / 32;
    const std::size_t warp = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
    const unsigned per = stride / sizeof(T), spans = footprint / (32 * stride);
    const unsigned groups = warps / per, group = warp / per;
    if (group >= groups) return;
    const char* const lane = in + threadIdx.x % 32 * std::size_t(stride) + warp % per * sizeof(T);
    unsigned span = group % spans;
    float sum = 0;
    for (int r = 0; r < rounds; r += 4) {
        T v[4];
        for (int k = 0; k < 4; ++k) {
            v[k] = __ldcg(reinterpret_cast<const T*>(lane + std::size_t(span) * 32 * stride));
            span += groups;
            if (span >= spans) span %= spans;
        }
        for (int k = 0; k < 4; ++k) sum += *reinterpret_cast<const float*>(&v[k]);
    }
    if (sum == 12345.678f) out[0] = sum;
}

// --- inside a multiprocessor -------------------------------------------------------------------------------------------

// Eight shared accesses a turn, each lane `stride` words from the next: the stride sets the conflicts.
__global__ void shared_loads(int stride, int turns, std::uint64_t* cycles, float* out) {
    __shared__ float words[8192];
    for (int i = threadIdx.x; i < 8192; i += blockDim.x) words[i] = 0;
    __syncthreads();
    const volatile float* at = words + threadIdx.x % 32 * stride;
    float sum = 0;
    const std::uint64_t before = clock64();
    for (int t = 0; t < turns; ++t) sum += at[0] + at[1024] + at[2048] + at[3072] + at[4096] + at[5120] + at[6144] + at[7167];
    __syncthreads();
    if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - before;
    out[threadIdx.x] = sum;
}
__global__ void shared_stores(int stride, int turns, std::uint64_t* cycles, float* out) {
    __shared__ float words[8192];
    volatile float* at = words + threadIdx.x % 32 * stride;
    const std::uint64_t before = clock64();
    for (int t = 0; t < turns; ++t)
        for (int k = 0; k < 7168; k += 896) at[k] = 1.0f;
    __syncthreads();
    if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - before;
    out[threadIdx.x] = at[0];
}
// Global loads that hit L1: a request touches `lines` lines of 32 KiB; `skew` words are added from lane to lane, so that
// lanes sit in one bank of the data (0) or in different ones (1).
__global__ void l1_loads(const float* in, int lines, int skew, int turns, std::uint64_t* cycles, float* out) {
    const int lane = threadIdx.x % 32;
    const float* const at = in + lane % lines * 32 + (skew ? lane : 0);
    float sum = 0;
    for (int i = 0; i < 8192; i += 32) sum += in[i + lane];
    __syncthreads();
    const std::uint64_t before = clock64();
    for (int t = 0; t < turns; ++t) {
        const float* const here = at + t % 4 * 1024;
        sum += here[0] + here[1024] + here[2048] + here[3072];
    }
    __syncthreads();
    if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - before;
    out[threadIdx.x] = sum;
}
// Chunks of a buffer in an order that jumps about, each read once. LANES lanes take a chunk of `chunk` bytes together,
// every lane its part of it, 4 bytes.
template <int LANES>
__global__ void scatter_read(const float* in, unsigned chunks, int chunk, float* out) {
    const unsigned groups = gridDim.x * blockDim.x / LANES, group = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    float sum = 0;
    for (unsigned c = group; c + 3 * groups < chunks; c += 4 * groups) {
        float v[4];
        for (int k = 0; k < 4; ++k) v[k] = in[std::size_t((c + k * groups) * 2654435761u % chunks) * (chunk / 4) + threadIdx.x % LANES];
        for (int k = 0; k < 4; ++k) sum += v[k];
    }
    if (sum == 12345.678f) out[0] = sum;
}
template <int LANES>
__global__ void scatter_write(float* out, unsigned chunks, int chunk) {
    const unsigned groups = gridDim.x * blockDim.x / LANES, group = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    for (unsigned c = group; c < chunks; c += groups) out[std::size_t(c * 2654435761u % chunks) * (chunk / 4) + threadIdx.x % LANES] = 1.0f;
}
// Warps write 128 bytes each, side by side but for a shift; neighbours in memory are `apart` warps apart in time.
__global__ void shifted_write(float* out, unsigned warps, unsigned apart, int shift) {
    const unsigned w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const std::size_t place = std::size_t(w % apart) * (warps / apart) + w / apart;
    out[place * 32 + shift + threadIdx.x % 32] = 1.0f;
}
__global__ void shifted_copy(const float* in, float* out, unsigned warps, unsigned apart, int shift) {
    const unsigned w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const std::size_t place = std::size_t(w % apart) * (warps / apart) + w / apart;
    const std::size_t step = std::size_t(warps) * 32;
    float v[4];
    for (int k = 0; k < 4; ++k) v[k] = in[k * step + place * 32 + shift + threadIdx.x % 32];
    for (int k = 0; k < 4; ++k) out[k * step + place * 32 + shift + threadIdx.x % 32] = v[k];
}
__global__ void barriers(int turns, std::uint64_t* cycles) {
    __syncthreads();
    const std::uint64_t before = clock64();
    for (int t = 0; t < turns; ++t) __syncthreads();
    if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - before;
}
template <int KIND>
__global__ void arithmetic(int turns, std::uint64_t* cycles, float* out) {
    float a = threadIdx.x, b = 1.5f;
    float c0 = a, c1 = a + 1, c2 = a + 2, c3 = a + 3;
    int i0 = threadIdx.x, i1 = threadIdx.x + 1, i2 = i0 * 7, i3 = i0 * 5;
    __syncthreads();
    const std::uint64_t before = clock64();
    for (int t = 0; t < turns; ++t) {
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            if (KIND == 0) c0 = fmaf(c0, b, a);                                                                    // one chain
            if (KIND == 1) c0 = fmaf(c0, b, a), c1 = fmaf(c1, b, a), c2 = fmaf(c2, b, a), c3 = fmaf(c3, b, a);     // four
            if (KIND == 2) i0 = i0 * i1 + i2, i1 = i1 * i0 + i3;                                                   // integer multiply-add
            if (KIND == 3) c0 += __shfl_xor_sync(0xffffffffu, c0, 1);                                              // shuffle chain
            if (KIND == 4) c0 = __shfl_xor_sync(0xffffffffu, c0, 1), c1 = __shfl_xor_sync(0xffffffffu, c1, 2), c2 = __shfl_xor_sync(0xffffffffu, c2, 4), c3 = __shfl_xor_sync(0xffffffffu, c3, 8);  // four
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - before;
    out[threadIdx.x] = c0 + c1 + c2 + c3 + i0 + i1;
}
__global__ void empty() {}
__global__ void empty_shared() { extern __shared__ float dynamic[]; if (dynamic[threadIdx.x] == 12345.678f) dynamic[0] = 1; }
__global__ void spin(long long cycles) {
    const long long until = clock64() + cycles;
    while (clock64() < until) {}
}
// When blocks run: start and end of each, and where.
__global__ void stamp(std::uint64_t* begin, std::uint64_t* end, unsigned* where, int spin_cycles, float* out, int store) {
    const std::uint64_t t = clock64();
    if (store) out[std::size_t{blockIdx.x} * blockDim.x + threadIdx.x] = 1.0f;
    while (clock64() < t + spin_cycles) {}
    __syncthreads();
    if (threadIdx.x == 0) {
        begin[blockIdx.x] = t;
        where[blockIdx.x] = multiprocessor();
        end[blockIdx.x] = clock64();
    }
}
__global__ void clocks(std::uint64_t* out) {
    const std::uint64_t c = clock64(), t = nanoseconds();
    while (nanoseconds() < t + 2000000) {}
    out[0] = clock64() - c;
    out[1] = nanoseconds() - t;
}
__global__ void add_to(float* out, int distinct, int turns) {
    const int lane = (blockIdx.x * blockDim.x + threadIdx.x) % distinct;
    for (int t = 0; t < turns; ++t) atomicAdd(out + lane * 8, 1.0f);
}

static std::uint64_t* cycles;
static double cycles_of(int blocks) {
    std::vector<std::uint64_t> all(blocks);
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpy(all.data(), cycles, 8 * blocks, cudaMemcpyDeviceToHost));
    std::sort(all.begin(), all.end());
    return static_cast<double>(all[blocks / 2]);
}

int main() {
    cudaDeviceProp device;
    MUST(cudaGetDeviceProperties(&device, 0));
    processors = device.multiProcessorCount;
    MUST(cudaEventCreate(&start_event));
    MUST(cudaEventCreate(&stop_event));
    MUST(cudaMalloc(&flush, flush_bytes));
    const std::size_t bytes = std::size_t{2} << 30;
    float *in, *out;
    MUST(cudaMalloc(&in, bytes));
    MUST(cudaMalloc(&out, bytes));
    MUST(cudaMalloc(&cycles, 8 << 20));
    {  // data that does not compress, and warm clocks
        std::vector<std::uint32_t> noise(1 << 20);
        std::mt19937 random(1);
        for (auto& n : noise) n = random() >> 2;
        for (std::size_t i = 0; i < bytes / 4; i += noise.size()) MUST(cudaMemcpy(in + i, noise.data(), noise.size() * 4, cudaMemcpyHostToDevice));
        for (int i = 0; i < 100; ++i) MUST(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice));
        MUST(cudaDeviceSynchronize());
    }
    std::printf("name,setting,value,unit\n");
    report("multiprocessors", "", processors, "");
    report("l2_bytes", "", device.l2CacheSize, "bytes");

    // Clock under load.
    spin<<<processors, 1024>>>(100000000);
    clocks<<<1, 1>>>(cycles);
    std::uint64_t pair[2];
    MUST(cudaMemcpy(pair, cycles, 16, cudaMemcpyDeviceToHost));
    report("sm_clock", "", 1e3 * pair[0] / pair[1], "MHz");

    // DRAM.
    const std::size_t quads = bytes / 16, singles = bytes / 4;
    const int wide = processors * 16;
    const auto gb = [](double b, double us) { return b / us / 1000; };
    report("dram_memcpy", "2 GiB", gb(2.0 * bytes, time_us([&] { MUST(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice)); })), "GB/s");
    report("dram_copy", "float4 grid 16x512", gb(2.0 * bytes, time_us([&] { copy_all<<<wide, 512>>>((float4*)in, (float4*)out, quads); })), "GB/s");
    report("dram_read", "float4 x 4", gb(bytes, time_us([&] { read_wide<4><<<processors * 8, 256>>>((float4*)in, quads, out); })), "GB/s");
    report("dram_write", "float4", gb(bytes, time_us([&] { write_all<<<wide, 512>>>((float4*)out, quads, float4{1, 2, 3, 4}); })), "GB/s");
    report("dram_write", "float", gb(bytes, time_us([&] { write_all<<<wide, 512>>>(out, singles, 1.0f); })), "GB/s");
    for (const int threads : {32, 64, 128, 256, 512, 1024}) {
        const std::string s = "1 float a thread; " + std::to_string(threads) + " threads a block";
        const std::size_t n = threads == 32 ? singles / 4 : singles;
        report("once_read", s, gb(4.0 * n, time_us([&] { read_once<<<unsigned(n / threads), threads>>>(in, out); })), "GB/s");
        report("once_write", s, gb(4.0 * n, time_us([&] { write_once<<<unsigned(n / threads), threads>>>(out); })), "GB/s");
        report("once_copy", s, gb(8.0 * n, time_us([&] { copy_once<<<unsigned(n / threads), threads>>>(in, out); })), "GB/s");
    }
    // How time grows with size: the fixed part of a launch.
    for (const int mib : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}) {
        const std::size_t n = (std::size_t(mib) << 20) / 16;
        report("read_size", std::to_string(mib) + " MiB", time_us([&] { read_wide<1><<<wide, 512>>>((float4*)in, n, out); }, true, 15), "us");
        report("copy_size", std::to_string(mib) + " MiB", time_us([&] { copy_all<<<wide, 512>>>((float4*)in, (float4*)out, n); }, true, 15), "us");
        report("write_size", std::to_string(mib) + " MiB", time_us([&] { write_all<<<wide, 512>>>((float4*)out, n, float4{1, 2, 3, 4}); }, true, 15), "us");
    }
    // Little's law: bytes in flight against bandwidth, one persistent block of each size on every multiprocessor, or two.
    for (const int threads : {32, 64, 128, 256, 512, 1024, 2048}) {
        const int blocks = processors * (threads > 1024 ? 2 : 1), size = std::min(threads, 1024);
        const std::size_t n = std::min<std::size_t>(singles, std::size_t(threads) * processors * 1024);
        const auto label = [&](int b, int each) { return std::to_string(threads) + " threads x " + std::to_string(each) + " x " + std::to_string(b) + " bytes"; };
        report("in_flight", label(4, 1), gb(4.0 * n, time_us([&] { read_narrow<1><<<blocks, size>>>(in, n, out); })), "GB/s");
        report("in_flight", label(4, 2), gb(4.0 * n, time_us([&] { read_narrow<2><<<blocks, size>>>(in, n, out); })), "GB/s");
        report("in_flight", label(4, 4), gb(4.0 * n, time_us([&] { read_narrow<4><<<blocks, size>>>(in, n, out); })), "GB/s");
        report("in_flight", label(4, 8), gb(4.0 * n, time_us([&] { read_narrow<8><<<blocks, size>>>(in, n, out); })), "GB/s");
        const std::size_t q = std::min<std::size_t>(quads, n);
        report("in_flight", label(16, 1), gb(16.0 * q, time_us([&] { read_wide<1><<<blocks, size>>>((float4*)in, q, out); })), "GB/s");
        report("in_flight", label(16, 2), gb(16.0 * q, time_us([&] { read_wide<2><<<blocks, size>>>((float4*)in, q, out); })), "GB/s");
        report("in_flight", label(16, 4), gb(16.0 * q, time_us([&] { read_wide<4><<<blocks, size>>>((float4*)in, q, out); })), "GB/s");
        report("copy_in_flight", label(4, 1), gb(8.0 * n, time_us([&] { copy_all<<<blocks, size>>>(in, out, n); })), "GB/s");
        report("copy_in_flight", label(16, 1), gb(32.0 * q, time_us([&] { copy_all<<<blocks, size>>>((float4*)in, (float4*)out, q); })), "GB/s");
    }
    // One multiprocessor alone.
    for (const int blocks : {1, 2, 4, 8, 16, 33, 66}) {
        const std::size_t n = std::size_t{4} << 20;
        const std::string s = std::to_string(blocks) + " blocks of 1024";
        report("few_read_l2", s, gb(4.0 * n, time_us([&] { for (int k = 0; k < 4; ++k) read_wide<4><<<blocks, 1024>>>((float4*)in, n / 16, out); }, false)), "GB/s");
        report("few_read_dram", s, gb(4.0 * n, time_us([&] { read_wide<4><<<blocks, 1024>>>((float4*)in, n / 4, out); })), "GB/s");
        report("few_write_dram", s, gb(4.0 * n, time_us([&] { write_all<<<blocks, 1024>>>((float4*)out, n / 4, float4{1, 2, 3, 4}); })), "GB/s");
        report("few_write_narrow", s, gb(4.0 * n, time_us([&] { write_all<<<blocks, 1024>>>(out, n, 1.0f); })), "GB/s");
    }
    // Latency.
    for (const std::size_t kib : {16, 64, 512, 4096, 16384, 24576, 32768, 49152, 262144, 1048576}) {
        const std::size_t step = 64, n = kib * 1024 / (step * 4);
        std::vector<std::uint32_t> order(n), next(n * step);
        std::iota(order.begin(), order.end(), 0u);
        std::mt19937 random(7);
        std::shuffle(order.begin() + 1, order.end(), random);
        for (std::size_t i = 0; i < n; ++i) next[order[i] * step] = order[(i + 1) % n] * std::uint32_t(step);
        MUST(cudaMemcpy(out, next.data(), next.size() * 4, cudaMemcpyHostToDevice));
        const int steps = static_cast<int>(std::min<std::size_t>(n, 20000));
        MUST(cudaMemset(flush, 1, flush_bytes));
        const bool fits = kib <= 49152;
        chase<<<1, 1>>>((std::uint32_t*)out, steps, fits ? int(n) : 16, cycles, (std::uint32_t*)in);
        MUST(cudaMemcpy(pair, cycles, 16, cudaMemcpyDeviceToHost));
        report("latency", std::to_string(kib) + " KiB", double(pair[0]) / steps, "cycles");
        report("latency_ns", std::to_string(kib) + " KiB", double(pair[1]) / steps, "ns");
    }
    for (const int stride : {1, 2, 4, 8, 16, 32}) {
        chase_shared<<<1, 32>>>(stride, 1000, cycles, (std::uint32_t*)in);
        report("shared_latency", "stride " + std::to_string(stride), cycles_of(1) / 1000, "cycles");
    }
    // L2 sectors. 16 MiB stays in L2.
    for (const std::size_t mib : {16, 1024}) {
        for (const int stride : {4, 8, 16, 32, 64, 128, 256, 1024, 4096, 32768, 32000}) {
            const std::size_t footprint = (mib << 20) / (32 * std::size_t(stride)) * (32 * std::size_t(stride));
            const int blocks = processors * 4, rounds = 64;
            const std::string s = std::to_string(mib) + " MiB; stride " + std::to_string(stride);
            const bool cold = mib > 64;
            // Sectors that all warps touch, an access of `width` bytes a lane: warps beyond the last full group rest.
            const auto rate = [&](int width, double us) {
                const int per = stride / width;
                const double accesses = double(blocks * 16 / per * per) * rounds;
                return accesses * 32 * std::min(stride, 32) / 32 / us / 1000;
            };
            report("store4", s, rate(4, time_us([&] { store_strided<float><<<blocks, 512>>>((char*)out, footprint, stride, rounds, 1.0f); })), "sectors/ns");
            report("load4", s, rate(4, time_us([&] { load_strided<float><<<blocks, 512>>>((char*)in, footprint, stride, rounds, out); }, cold)), "sectors/ns");
            if (stride >= 8) report("store8", s, rate(8, time_us([&] { store_strided<float2><<<blocks, 512>>>((char*)out, footprint, stride, rounds, float2{1, 2}); })), "sectors/ns");
            if (stride >= 16) {
                report("store16", s, rate(16, time_us([&] { store_strided<float4><<<blocks, 512>>>((char*)out, footprint, stride, rounds, float4{1, 2, 3, 4}); })), "sectors/ns");
                report("load16", s, rate(16, time_us([&] { load_strided<float4><<<blocks, 512>>>((char*)in, footprint, stride, rounds, out); }, cold)), "sectors/ns");
            }
        }
    }
    // Stores to one sector of each line, by few multiprocessors: what is theirs and what is L2's.
    for (const int blocks : {1, 4, 16, 33, 66, 132, 528}) {
        const int rounds = 256, groups = blocks * 16 / 32;
        const double us = time_us([&] { store_strided<float><<<blocks, 512>>>((char*)out, 16 << 20, 128, rounds, 1.0f); });
        if (groups > 0) report("store4_few", std::to_string(blocks) + " blocks of 512; stride 128", groups * 32.0 * rounds * 32 / us / 1000, "sectors/ns");
    }
    // Chunks in an order without locality.
    {
        const int blocks = processors * 8;
        const auto chunks_of = [&](int chunk) { return unsigned((std::size_t(1) << 30) / chunk) - 1; };  // not a power of two
        const auto rate = [&](int chunk, double us) { return double(chunks_of(chunk)) / us / 1000; };
        for (const int chunk : {32, 64, 128, 256}) {
            const std::string s = "1 lane a chunk of " + std::to_string(chunk);
            report("scatter_read", s, rate(chunk, time_us([&] { scatter_read<1><<<blocks, 256>>>(in, chunks_of(chunk), chunk, out); })), "chunks/ns");
            report("scatter_write", s, rate(chunk, time_us([&] { scatter_write<1><<<blocks, 256>>>(out, chunks_of(chunk), chunk); })), "chunks/ns");
        }
        report("scatter_read", "8 lanes a chunk of 32", rate(32, time_us([&] { scatter_read<8><<<blocks, 256>>>(in, chunks_of(32), 32, out); })), "chunks/ns");
        report("scatter_read", "16 lanes a chunk of 64", rate(64, time_us([&] { scatter_read<16><<<blocks, 256>>>(in, chunks_of(64), 64, out); })), "chunks/ns");
        report("scatter_read", "32 lanes a chunk of 128", rate(128, time_us([&] { scatter_read<32><<<blocks, 256>>>(in, chunks_of(128), 128, out); })), "chunks/ns");
        report("scatter_write", "8 lanes a chunk of 32", rate(32, time_us([&] { scatter_write<8><<<blocks, 256>>>(out, chunks_of(32), 32); })), "chunks/ns");
        report("scatter_write", "16 lanes a chunk of 64", rate(64, time_us([&] { scatter_write<16><<<blocks, 256>>>(out, chunks_of(64), 64); })), "chunks/ns");
        report("scatter_write", "32 lanes a chunk of 128", rate(128, time_us([&] { scatter_write<32><<<blocks, 256>>>(out, chunks_of(128), 128); })), "chunks/ns");
        report("scatter_write", "8 lanes a chunk of 64", rate(64, time_us([&] { scatter_write<8><<<blocks, 256>>>(out, chunks_of(64), 64); })), "chunks/ns");
        report("scatter_write", "4 lanes a chunk of 32", rate(32, time_us([&] { scatter_write<4><<<blocks, 256>>>(out, chunks_of(32), 32); })), "chunks/ns");
    }
    for (const unsigned apart : {1u, 8u, 256u, 4096u, 65536u, 1048576u}) {
        const unsigned warps = 1u << 23;  // 1 GiB
        for (const int shift : {0, 1, 4, 8}) {
            const std::string s = "neighbours " + std::to_string(apart) + " warps apart; shift " + std::to_string(shift * 4) + " bytes";
            report("shifted_write", s, warps / time_us([&] { shifted_write<<<warps / 8, 256>>>(out, warps, apart, shift); }) / 1000, "warps/ns");
            report("shifted_copy", s, warps / time_us([&] { shifted_copy<<<warps / 8 / 4, 256>>>(in, out, warps / 4, apart, shift); }) / 1000, "warps/ns");
        }
    }
    // Shared memory and L1, one block of 1024 a multiprocessor.
    for (const int stride : {1, 2, 4, 8, 16, 32}) {
        const std::string s = "stride " + std::to_string(stride);
        const int turns = 400;
        shared_loads<<<processors, 1024>>>(stride, turns, cycles, out);
        report("shared_load", s, cycles_of(processors) / (turns * 8.0 * 32), "cycles/request");
        shared_stores<<<processors, 1024>>>(stride, turns, cycles, out);
        report("shared_store", s, cycles_of(processors) / (turns * 8.0 * 32), "cycles/request");
        for (const int skew : {0, 1}) {
            l1_loads<<<processors, 1024>>>(in, stride, skew, turns, cycles, out);
            report("l1_load", std::to_string(stride) + " lines; skew " + std::to_string(skew), cycles_of(processors) / (turns * 4.0 * 32), "cycles/request");
        }
    }
    for (const int threads : {32, 64, 128, 256, 512, 1024}) {
        for (const int resident : {1, 2, 4, 8}) {
            if (threads * resident > 2048) continue;
            barriers<<<processors * resident, threads>>>(1000, cycles);
            report("barrier", std::to_string(threads) + " threads x " + std::to_string(resident), cycles_of(processors * resident) / 1000, "cycles");
        }
    }
    for (const int threads : {32, 128, 256, 512, 1024}) {
        const std::string s = std::to_string(threads) + " threads";
        const double warps = threads / 32.0;
        arithmetic<0><<<processors, threads>>>(100, cycles, out);
        report("fma_chain", s, cycles_of(processors) / 1600 / warps, "cycles/instruction");
        arithmetic<1><<<processors, threads>>>(100, cycles, out);
        report("fma", s, cycles_of(processors) / 6400 / warps, "cycles/instruction");
        arithmetic<2><<<processors, threads>>>(100, cycles, out);
        report("imad", s, cycles_of(processors) / 3200 / warps, "cycles/instruction");
        arithmetic<3><<<processors, threads>>>(100, cycles, out);
        report("shuffle_chain", s, cycles_of(processors) / 1600 / warps, "cycles/instruction");
        arithmetic<4><<<processors, threads>>>(100, cycles, out);
        report("shuffle", s, cycles_of(processors) / 6400 / warps, "cycles/instruction");
    }
    // Launches and blocks.
    report("empty_launch", "1 block", time_us([&] { empty<<<1, 32>>>(); }, true, 31), "us");
    report("empty_launch", "1 block, warm", time_us([&] { empty<<<1, 32>>>(); }, false, 31), "us");
    report("empty_launch", "1056 blocks of 256", time_us([&] { empty<<<1056, 256>>>(); }, true, 31), "us");
    for (const int count : {1, 2, 4, 8, 16}) {
        cudaStream_t stream;
        cudaGraph_t graph;
        cudaGraphExec_t ready;
        MUST(cudaStreamCreate(&stream));
        MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        for (int i = 0; i < count; ++i) empty<<<1, 32, 0, stream>>>();
        MUST(cudaStreamEndCapture(stream, &graph));
        MUST(cudaGraphInstantiate(&ready, graph, 0));
        report("graph_of_empty", std::to_string(count), time_us([&] { MUST(cudaGraphLaunch(ready, 0)); }, true, 15), "us");
        report("row_of_empty", std::to_string(count), time_us([&] { for (int i = 0; i < count; ++i) empty<<<1, 32>>>(); }, true, 15), "us");
    }
    for (const int threads : {32, 64, 128, 256, 512, 1024}) {
        const int blocks = processors * 2048;
        const std::string s = std::to_string(threads) + " threads";
        report("empty_blocks", s, time_us([&] { empty<<<blocks, threads>>>(); }, false) * 1000 / 2048, "ns a block and multiprocessor");
        report("empty_blocks_8k_shared", s, time_us([&] { empty_shared<<<blocks, threads, 8192>>>(); }, false) * 1000 / 2048, "ns a block and multiprocessor");
        for (const int resident : {1, 2, 2048 / threads}) {
            if (resident > 32 || resident * threads > 2048) continue;
            for (const int store : {0, 1}) {
                const int n = processors * resident * 8, shared = 227 * 1024 / resident - 1024;
                MUST(cudaFuncSetAttribute(stamp, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
                std::uint64_t* end = cycles + (1 << 18);
                unsigned* where = reinterpret_cast<unsigned*>(cycles + (1 << 19));
                stamp<<<n, threads, shared - shared % 1024>>>(cycles, end, where, 3000, out, store);
                MUST(cudaDeviceSynchronize());
                std::vector<std::uint64_t> b(n), e(n);
                std::vector<unsigned> w(n);
                MUST(cudaMemcpy(b.data(), cycles, n * 8, cudaMemcpyDeviceToHost));
                MUST(cudaMemcpy(e.data(), end, n * 8, cudaMemcpyDeviceToHost));
                MUST(cudaMemcpy(w.data(), where, n * 4, cudaMemcpyDeviceToHost));
                std::vector<double> gaps;  // from each end on a multiprocessor to the start that follows it
                for (int p = 0; p < processors; ++p) {
                    std::vector<std::uint64_t> starts, ends;
                    for (int i = 0; i < n; ++i)
                        if (int(w[i]) == p) starts.push_back(b[i]), ends.push_back(e[i]);
                    std::sort(starts.begin(), starts.end());
                    std::sort(ends.begin(), ends.end());
                    for (std::size_t i = resident; i < starts.size(); ++i) gaps.push_back(double(starts[i]) - double(ends[i - resident]));
                }
                std::sort(gaps.begin(), gaps.end());
                if (!gaps.empty()) report(store ? "turnover_after_store" : "turnover", s + " x " + std::to_string(resident), gaps[gaps.size() / 2], "cycles");
            }
        }
    }
    for (const int distinct : {1, 32, 1024, 65536}) {
        const int turns = 16;
        const double us = time_us([&] { add_to<<<processors, 256>>>(out, distinct, turns); }, false);
        report("atomic_add", std::to_string(distinct) + " addresses", processors * 256.0 * turns / us / 1000, "lanes/ns");
    }
    MUST(cudaDeviceSynchronize());
}
