// stage: reduction/open
// says: race_global
// The flag is released, but its reader loads it relaxed.
#include <cuda/atomic>
#include <cuda_runtime.h>

#include <cstddef>

constexpr int BLOCKS = 16;

__global__ void flagged(const float* in, size_t n, float* scratch, int* is_ready, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += BLOCKS * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    if (blockIdx.x > 0) {
        scratch[blockIdx.x] = sum;  // <--
        cuda::atomic_ref<int, cuda::thread_scope_device>(is_ready[blockIdx.x]).store(1, cuda::memory_order_release);
        return;
    }
    for (int b = 1; b < BLOCKS; ++b) {
        while (cuda::atomic_ref<int, cuda::thread_scope_device>(is_ready[b]).load(cuda::memory_order_relaxed) == 0) {
        }
        sum += scratch[b];  // <--
    }
    *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    cudaMemsetAsync(scratch + 64, 0, BLOCKS * sizeof(int));
    flagged<<<BLOCKS, 32>>>(in, n, scratch, (int*)(scratch + 64), out);
}
