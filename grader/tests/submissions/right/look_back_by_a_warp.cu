// stage: scan/open
// Decoupled look-back: tiles by ticket, status and value in one word, a warp looks back 32 tiles at a time.
#include <cuda/atomic>
#include <cuda_runtime.h>

enum : unsigned { kEmpty = 0, kAggregate = 1, kPrefix = 2 };

struct Descriptor {
    unsigned status, value;
};

__device__ unsigned next_tile;
__device__ unsigned long long descriptors[1 << 16];

__device__ unsigned long long packed(unsigned status, unsigned value) { return static_cast<unsigned long long>(status) << 32 | value; }

__global__ void reset(int tiles) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) next_tile = 0;
    if (i < tiles) descriptors[i] = packed(kEmpty, 0);
}

__global__ void __launch_bounds__(128) one_pass(const unsigned* in, unsigned* out, int n) {
    constexpr int kItems = 4;
    __shared__ unsigned tile_shared, warp_sums[4], prefix_shared;
    if (threadIdx.x == 0) tile_shared = atomicAdd(&next_tile, 1u);
    __syncthreads();
    const int tile = tile_shared;
    const int first = tile * 128 * kItems + threadIdx.x * kItems;
    unsigned items[kItems];
#pragma unroll
    for (int k = 0; k < kItems; ++k) items[k] = first + k < n ? in[first + k] : 0;
#pragma unroll
    for (int k = 1; k < kItems; ++k) items[k] += items[k - 1];
    unsigned total = items[kItems - 1];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int d = 1; d < 32; d *= 2) {
        const unsigned up = __shfl_up_sync(~0u, total, d);
        if (lane >= d) total += up;
    }
    if (lane == 31) warp_sums[warp] = total;
    __syncthreads();
    unsigned before = total - items[kItems - 1];
    unsigned aggregate = 0;
    for (int w = 0; w < 4; ++w) {
        if (w < warp) before += warp_sums[w];
        aggregate += warp_sums[w];
    }
    if (warp == 0) {
        cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> mine(descriptors[tile]);
        unsigned exclusive = 0;
        if (tile == 0) {
            if (lane == 0) mine.store(packed(kPrefix, aggregate), cuda::memory_order_relaxed);
        } else {
            if (lane == 0) mine.store(packed(kAggregate, aggregate), cuda::memory_order_relaxed);
            for (int window = tile - 1;; window -= 32) {
                const int other = window - lane;
                unsigned long long word = packed(kPrefix, 0);
                if (other >= 0) {
                    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> theirs(descriptors[other]);
                    do word = theirs.load(cuda::memory_order_relaxed);
                    while ((word >> 32) == kEmpty);
                }
                __syncwarp();
                const unsigned found = __ballot_sync(~0u, (word >> 32) == kPrefix);
                const int nearest = found ? __ffs(found) - 1 : 31;
                const unsigned part = lane <= nearest ? static_cast<unsigned>(word) : 0;
                exclusive += __reduce_add_sync(~0u, part);
                if (found) break;
            }
            if (lane == 0) mine.store(packed(kPrefix, exclusive + aggregate), cuda::memory_order_relaxed);
        }
        if (lane == 0) prefix_shared = exclusive;
    }
    __syncthreads();
    before += prefix_shared;
#pragma unroll
    for (int k = 0; k < kItems; ++k)
        if (first + k < n) out[first + k] = items[k] + before;
}

void scan(const unsigned int* in, unsigned int* out, unsigned int* scratch, int n) {
    if (n == 0) return;
    const int tiles = (n + 511) / 512;
    reset<<<(tiles + 255) / 256, 256>>>(tiles);
    one_pass<<<tiles, 128>>>(in, out, n);
}
