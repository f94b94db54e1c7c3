// stage: reduction/open
// An MCS lock: blocks queue up, each waits at a node of its own, and hands the lock to the next in the queue.
#include <cuda/atomic>
#include <cuda_runtime.h>

#include <cstddef>

constexpr int BLOCKS = 24;
__device__ int tail = -1;         // block that came last
__device__ int next[BLOCKS];      // who is behind a block; -1 for nobody
__device__ int is_locked[BLOCKS];

using ref = cuda::atomic_ref<int, cuda::thread_scope_device>;

__device__ void acquire(int me) {
    ref(next[me]).store(-1, cuda::memory_order_relaxed);
    ref(is_locked[me]).store(1, cuda::memory_order_relaxed);
    const int before = ref(tail).exchange(me, cuda::memory_order_acq_rel);
    if (before < 0) return;
    ref(next[before]).store(me, cuda::memory_order_release);
    while (ref(is_locked[me]).load(cuda::memory_order_acquire) != 0) {
    }
}

__device__ void release(int me) {
    int behind = ref(next[me]).load(cuda::memory_order_acquire);
    if (behind < 0) {
        int expected = me;
        if (ref(tail).compare_exchange_strong(expected, -1, cuda::memory_order_acq_rel)) return;
        do behind = ref(next[me]).load(cuda::memory_order_acquire);
        while (behind < 0);
    }
    ref(is_locked[behind]).store(0, cuda::memory_order_release);
}

__global__ void queued(const float* in, size_t n, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += BLOCKS * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    acquire(blockIdx.x);
    *out += sum;
    release(blockIdx.x);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float), 0);
    queued<<<BLOCKS, 32>>>(in, n, out);
}
