// Stage 7, open: one launch. Blocks stream tiles of 32 KiB through four 16-byte loads a thread, and the block that
// finishes last adds up the blocks' sums: always in the same order, so that the same input gives the same bits.
// ../NOTES.md has the measurements behind each number.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WARP = 32;
constexpr int QUAD = 4;   // floats in a float4
constexpr int LINE = 32;  // and in 128 bytes, a line of the caches
constexpr int THREADS = 512;
constexpr int IN_FLIGHT = 4;               // loads a thread has under way
constexpr int TILE = THREADS * IN_FLIGHT;  // float4s that a block loads at once, side by side
constexpr std::size_t TILE_FLOATS = TILE * QUAD;
constexpr int BLOCKS = 528;                     // 4 for each of the 132 multiprocessors of an H200: all of its threads
constexpr std::size_t ALONE = 4 * TILE_FLOATS;  // up to here one block is done sooner than several agree who is last
constexpr int MOST_ALONE = 1024;                // threads of that block
constexpr int LEAST_ALONE = 256;
constexpr unsigned ALL_LANES = 0xffffffff;

// How many blocks of the launch under way have finished. The last one sets it back to 0 for the next launch. Two
// launches at the same time, on two streams, would need a counter each.
__device__ unsigned finished = 0;

// The sum over the 32 threads of a warp, in its first thread. All 32 must call it together.
__device__ static float warp_sum(float sum) {
    for (int s = WARP / 2; s > 0; s /= 2) sum += __shfl_down_sync(ALL_LANES, sum, s);
    return sum;
}

// The sum over the threads of a block, in its first thread. Between two calls the block has to meet at a barrier.
__device__ static float block_sum(float sum) {
    __shared__ float warp_sums[WARP];
    const int lane = threadIdx.x % WARP;
    const int warp = threadIdx.x / WARP;
    const int warps = blockDim.x / WARP;

    sum = warp_sum(sum);
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();
    if (warp == 0) sum = warp_sum(lane < warps ? warp_sums[lane] : 0.0f);
    return sum;
}

__device__ static float sum_of(float4 v) { return (v.x + v.y) + (v.z + v.w); }

// An input in three parts: floats up to the first multiple of 128 bytes, whole float4s, and at most three floats more.
// A multiple of 16 bytes would do for the float4s, but then every warp would read parts of five lines of the cache
// instead of four whole ones.
struct Parts {
    std::size_t head, quads, tail;  // floats, float4s, and where the floats after them start
    const float4* body;
};

__device__ static Parts parts_of(const float* in, std::size_t n) {
    const std::size_t past_line = reinterpret_cast<std::size_t>(in) / sizeof(float) % LINE;
    const std::size_t before_line = (LINE - past_line) % LINE;
    Parts parts;
    parts.head = before_line < n ? before_line : n;
    parts.quads = (n - parts.head) / QUAD;
    parts.tail = parts.head + parts.quads * QUAD;
    parts.body = reinterpret_cast<const float4*>(in + parts.head);
    return parts;
}

// What is no whole float4: the first threads of the grid take one of each end.
__device__ static float ends_of(const Parts& parts, const float* in, std::size_t n, std::size_t thread) {
    float sum = 0.0f;
    if (thread < parts.head) sum += in[thread];
    if (thread < n - parts.tail) sum += in[parts.tail + thread];
    return sum;
}

// One block. Most of its time is the way to the data and back, and to its own instructions: so it is short.
__global__ void __launch_bounds__(MOST_ALONE) sum_alone(const float* in, unsigned n, float* out) {
    const Parts parts = parts_of(in, n);
    const unsigned quads = static_cast<unsigned>(parts.quads);
    float sum = 0.0f;
    for (unsigned i = threadIdx.x; i < quads; i += IN_FLIGHT * blockDim.x) {
        float4 loaded[IN_FLIGHT] = {};
        for (int k = 0; k < IN_FLIGHT; ++k) {
            if (i + k * blockDim.x < quads) loaded[k] = parts.body[i + k * blockDim.x];
        }
        for (int k = 0; k < IN_FLIGHT; ++k) sum += sum_of(loaded[k]);
    }
    if (quads * QUAD != n) sum += ends_of(parts, in, n, threadIdx.x);

    sum = block_sum(sum);
    if (threadIdx.x == 0) out[0] = sum;
}

__global__ void __launch_bounds__(THREADS) sum_together(const float* in, std::size_t n, float* sums, float* out) {
    __shared__ bool is_last;

    // A sum for each load in flight: none of the additions waits for another, and rounding errors grow more slowly.
    const Parts parts = parts_of(in, n);
    float in_flight[IN_FLIGHT] = {};
    std::size_t i = static_cast<std::size_t>(blockIdx.x) * TILE + threadIdx.x;
    for (; i + (IN_FLIGHT - 1) * THREADS < parts.quads; i += static_cast<std::size_t>(gridDim.x) * TILE) {
        float4 loaded[IN_FLIGHT];
        for (int k = 0; k < IN_FLIGHT; ++k) loaded[k] = parts.body[i + k * THREADS];
        for (int k = 0; k < IN_FLIGHT; ++k) in_flight[k] += sum_of(loaded[k]);
    }
    for (int k = 0; k < IN_FLIGHT; ++k) {  // the last tile may be cut short
        if (i + k * THREADS < parts.quads) in_flight[k] += sum_of(parts.body[i + k * THREADS]);
    }

    float sum = ends_of(parts, in, n, static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x);
    for (int k = 0; k < IN_FLIGHT; ++k) sum += in_flight[k];

    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();  // whoever sees this block counted sees its sum as well
        is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;  // back to 0 after the last
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();

    sum = 0.0f;
    for (unsigned block = threadIdx.x; block < gridDim.x; block += THREADS) sum += sums[block];
    sum = block_sum(sum);
    if (threadIdx.x == 0) out[0] = sum;
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    if (n <= ALONE) {
        int threads = LEAST_ALONE;
        while (threads < MOST_ALONE && threads * IN_FLIGHT * QUAD < n) threads *= 2;
        sum_alone<<<1, threads>>>(in, static_cast<unsigned>(n), out);
    } else {
        const std::size_t tiles = (n - 1) / TILE_FLOATS + 1;
        sum_together<<<static_cast<unsigned>(tiles < BLOCKS ? tiles : BLOCKS), THREADS>>>(in, n, scratch, out);
    }
}
