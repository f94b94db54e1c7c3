#include "calibrate/microbenchmark_kernels.hpp"

namespace warpgrade {

// What is read is added up, and stored where the sum is a number that it never is: the compiler must not drop a load.
static constexpr std::string_view kernels = R"cuda(
typedef unsigned long long u64;

// --- the buffers ------------------------------------------------------------------------------------------------

// Contents that memory cannot compress.
extern "C" __global__ void fill_with_noise(unsigned* words, u64 count) {
    const u64 threads = u64(gridDim.x) * blockDim.x;
    for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += threads)
        words[i] = (unsigned(i) * 2654435761u ^ unsigned(i >> 7)) >> 2;
}

// A walk through all of `nodes` (a power of two) nodes in an order without locality: a full-period generator.
extern "C" __global__ void link_nodes(unsigned* next, unsigned nodes, unsigned words_apart) {
    const unsigned threads = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < nodes; i += threads)
        next[u64(i) * words_apart] = ((i * 1664525u + 1013904223u) & (nodes - 1)) * words_apart;
}

// --- streams through DRAM ---------------------------------------------------------------------------------------

__device__ static float sum_of(float v) { return v; }
__device__ static float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }

template <int EACH, class T>
__device__ static void read_all(const T* in, u64 count, float* nowhere) {
    const u64 threads = u64(gridDim.x) * blockDim.x;
    float sum = 0;
    for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i + (EACH - 1) * threads < count; i += EACH * threads) {
        T v[EACH];
#pragma unroll
        for (int k = 0; k < EACH; ++k) v[k] = in[i + k * threads];
#pragma unroll
        for (int k = 0; k < EACH; ++k) sum += sum_of(v[k]);
    }
    if (sum == -1.0e38f) *nowhere = sum;
}
extern "C" __global__ void read_1x4(const float* in, u64 n, float* nowhere) { read_all<1>(in, n, nowhere); }
extern "C" __global__ void read_2x4(const float* in, u64 n, float* nowhere) { read_all<2>(in, n, nowhere); }
extern "C" __global__ void read_4x4(const float* in, u64 n, float* nowhere) { read_all<4>(in, n, nowhere); }
extern "C" __global__ void read_1x16(const float4* in, u64 n, float* nowhere) { read_all<1>(in, n, nowhere); }
extern "C" __global__ void read_2x16(const float4* in, u64 n, float* nowhere) { read_all<2>(in, n, nowhere); }
extern "C" __global__ void read_4x16(const float4* in, u64 n, float* nowhere) { read_all<4>(in, n, nowhere); }

template <class T>
__device__ static void copy_all(const T* in, T* out, u64 count) {
    const u64 threads = u64(gridDim.x) * blockDim.x;
    for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += threads) out[i] = in[i];
}
extern "C" __global__ void copy_1x4(const float* in, u64 n, float* out) { copy_all(in, out, n); }
extern "C" __global__ void copy_1x16(const float4* in, u64 n, float4* out) { copy_all(in, out, n); }

extern "C" __global__ void write_1x16(float4* out, u64 count) {
    const u64 threads = u64(gridDim.x) * blockDim.x;
    for (u64 i = u64(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += threads) out[i] = make_float4(1, 2, 3, 4);
}

// `count` chunks of memory, of `chunks`, in an order that jumps about: LANES lanes take one together, 4 bytes a lane.
template <int LANES>
__device__ static void read_chunks(const float* in, unsigned chunks, unsigned count, float* nowhere) {
    const unsigned groups = gridDim.x * blockDim.x / LANES, group = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    float sum = 0;
    for (unsigned c = group; c + 3 * groups < count; c += 4 * groups) {
        float v[4];
#pragma unroll
        for (int k = 0; k < 4; ++k)
            v[k] = in[u64((c + k * groups) * 2654435761u % chunks) * LANES + threadIdx.x % LANES];
#pragma unroll
        for (int k = 0; k < 4; ++k) sum += v[k];
    }
    if (sum == -1.0e38f) *nowhere = sum;
}
template <int LANES>
__device__ static void write_chunks(float* out, unsigned chunks, unsigned count) {
    const unsigned groups = gridDim.x * blockDim.x / LANES, group = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    for (unsigned c = group; c < count; c += groups)
        out[u64(c * 2654435761u % chunks) * LANES + threadIdx.x % LANES] = 1.0f;
}
extern "C" __global__ void scatter_read_8(const float* in, unsigned chunks, unsigned count, float* nowhere) {
    read_chunks<8>(in, chunks, count, nowhere);
}
extern "C" __global__ void scatter_read_16(const float* in, unsigned chunks, unsigned count, float* nowhere) {
    read_chunks<16>(in, chunks, count, nowhere);
}
extern "C" __global__ void scatter_read_32(const float* in, unsigned chunks, unsigned count, float* nowhere) {
    read_chunks<32>(in, chunks, count, nowhere);
}
extern "C" __global__ void scatter_write_8(float* out, unsigned chunks, unsigned count) {
    write_chunks<8>(out, chunks, count);
}
extern "C" __global__ void scatter_write_16(float* out, unsigned chunks, unsigned count) {
    write_chunks<16>(out, chunks, count);
}
extern "C" __global__ void scatter_write_32(float* out, unsigned chunks, unsigned count) {
    write_chunks<32>(out, chunks, count);
}

// --- chains of dependent loads ----------------------------------------------------------------------------------

extern "C" __global__ void chase(const unsigned* next, int warm_up, int steps, u64* cycles, unsigned* out) {
    unsigned at = 0;
    for (int i = 0; i < warm_up; ++i) at = next[at];
    const u64 before = clock64();
    for (int i = 0; i < steps; ++i) at = next[at];
    cycles[0] = clock64() - before;
    out[0] = at;
}
extern "C" __global__ void chase_shared(unsigned stride, int steps, u64* cycles, unsigned* out) {
    __shared__ unsigned next[4096];
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) next[i] = (i + stride) % 4096;
    __syncthreads();
    unsigned at = threadIdx.x * stride % 4096;
    const u64 before = clock64();
    for (int i = 0; i < steps; ++i) at = next[at];
    if (threadIdx.x == 0) cycles[0] = clock64() - before;
    out[threadIdx.x] = at;
}

// --- L2: requests of many shapes --------------------------------------------------------------------------------

// The lanes of a warp are `stride` bytes apart, and a span of 32 of them takes stride / sizeof(T) warps to be filled.
struct Place {
    u64 lane;
    unsigned span, spans, groups;
    bool is_used;
    __device__ Place(u64 footprint, unsigned stride, unsigned width) {
        const unsigned warps = gridDim.x * blockDim.x / 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
        const unsigned warps_a_span = stride / width;
        spans = unsigned(footprint / (32 * stride));
        groups = warps / warps_a_span;
        span = warp / warps_a_span % spans;
        is_used = warp / warps_a_span < groups;
        lane = u64(threadIdx.x % 32) * stride + warp % warps_a_span * width;
    }
    __device__ u64 next(unsigned stride) {
        const u64 here = lane + u64(span) * 32 * stride;
        span += groups;
        if (span >= spans) span %= spans;
        return here;
    }
};
extern "C" __global__ void store_strided_4(char* out, u64 footprint, unsigned stride, int rounds) {
    Place place(footprint, stride, 4);
    if (!place.is_used) return;
    for (int r = 0; r < rounds; ++r) *reinterpret_cast<float*>(out + place.next(stride)) = 1.0f;
}
template <class T>
__device__ static void load_strided(const char* in, u64 footprint, unsigned stride, int rounds, float* nowhere) {
    Place place(footprint, stride, sizeof(T));
    if (!place.is_used) return;
    float sum = 0;
    for (int r = 0; r < rounds; r += 4) {
        T v[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) v[k] = __ldcg(reinterpret_cast<const T*>(in + place.next(stride)));
#pragma unroll
        for (int k = 0; k < 4; ++k) sum += sum_of(v[k]);
    }
    if (sum == -1.0e38f) *nowhere = sum;
}
extern "C" __global__ void load_strided_4(const char* in, u64 footprint, unsigned stride, int rounds, float* nowhere) {
    load_strided<float>(in, footprint, stride, rounds, nowhere);
}
extern "C" __global__ void load_strided_16(const char* in, u64 footprint, unsigned stride, int rounds, float* nowhere) {
    load_strided<float4>(in, footprint, stride, rounds, nowhere);
}

// Warps copy 128 bytes, four times, side by side but for a shift; neighbours in memory are `apart` warps apart in time.
extern "C" __global__ void shifted_copy(const float* in, float* out, unsigned warps, unsigned apart, unsigned shift) {
    const unsigned w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const u64 first = (u64(w % apart) * (warps / apart) + w / apart) * 32 + shift + threadIdx.x % 32;
    const u64 step = u64(warps) * 32;
    float v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) v[k] = in[k * step + first];
#pragma unroll
    for (int k = 0; k < 4; ++k) out[k * step + first] = v[k];
}

extern "C" __global__ void add_to(float* out, unsigned distinct, int turns) {
    const unsigned lane = (blockIdx.x * blockDim.x + threadIdx.x) % distinct;
    for (int t = 0; t < turns; ++t) atomicAdd(out + lane * 8, 1.0f);
}

// Lanes count in words that are `apart` words from each other.
extern "C" __global__ void count_at(unsigned* out, unsigned apart, int turns) {
    unsigned* const word = out + threadIdx.x % 32 * apart;
    for (int t = 0; t < turns; ++t) atomicAdd(word, 1u);
}

// --- inside a multiprocessor ------------------------------------------------------------------------------------

extern "C" __global__ void barriers(int turns, u64* cycles) {
    __syncthreads();
    const u64 before = clock64();
    for (int t = 0; t < turns; ++t) __syncthreads();
    if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - before;
}
// 16 links a turn.
extern "C" __global__ void chain_of_fma(int turns, u64* cycles, float* out) {
    const float a = threadIdx.x;
    float c = a;
    const u64 before = clock64();
    for (int t = 0; t < turns; ++t) {
#pragma unroll
        for (int k = 0; k < 16; ++k) c = fmaf(c, 1.5f, a);
    }
    if (threadIdx.x == 0) cycles[0] = clock64() - before;
    out[threadIdx.x] = c;
}
extern "C" __global__ void chain_of_shuffles(int turns, u64* cycles, float* out) {
    float c = threadIdx.x;
    const u64 before = clock64();
    for (int t = 0; t < turns; ++t) {
#pragma unroll
        for (int k = 0; k < 16; ++k) c += __shfl_xor_sync(0xffffffffu, c, 1);
    }
    if (threadIdx.x == 0) cycles[0] = clock64() - before;
    out[threadIdx.x] = c;
}

// 16 of each a turn. `zero` is 0, which the compiler does not know.
extern "C" __global__ void matches(int turns, unsigned values, unsigned zero, u64* cycles, unsigned* out) {
    unsigned v = threadIdx.x % values, sum = 0;
    __syncthreads();
    const u64 before = clock64();
    for (int t = 0; t < turns; ++t, v += zero) {
#pragma unroll
        for (int k = 0; k < 16; ++k) sum += __match_any_sync(0xffffffffu, v + k);
    }
    __syncthreads();
    if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - before;
    out[threadIdx.x] = sum;
}
extern "C" __global__ void shared_float_adds(int turns, u64* cycles, float* out) {
    __shared__ float words[16 * 32];
    for (unsigned i = threadIdx.x; i < 16 * 32; i += blockDim.x) words[i] = 0;
    __syncthreads();
    const u64 before = clock64();
    for (int t = 0; t < turns; ++t) {
#pragma unroll
        for (int k = 0; k < 16; ++k) atomicAdd(&words[k * 32 + threadIdx.x % 32], 1.0f);
    }
    __syncthreads();
    if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - before;
    out[threadIdx.x] = words[threadIdx.x % 512];
}

// --- blocks -----------------------------------------------------------------------------------------------------

extern "C" __global__ void nothing() {}
// When each block has begun and ended, by the clock of its multiprocessor, and which that was.
extern "C" __global__ void stamp(u64* begin, u64* end, u64* where, unsigned spin) {
    const u64 start = clock64();
    while (clock64() < start + spin) {
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned id;
    asm volatile("mov.u32 %0, %smid;" : "=r"(id));
    begin[blockIdx.x] = start;
    where[blockIdx.x] = id;
    end[blockIdx.x] = clock64();
}
)cuda";

std::string_view microbenchmark_source() { return kernels; }

}  // namespace warpgrade
