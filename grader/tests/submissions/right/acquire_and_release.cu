// stage: reduction/open
// cuda::atomic_ref with release and acquire in place of fences: the last block adds the sums.
#include <cuda/atomic>

#include <cstddef>

#include <cuda_runtime.h>

__device__ unsigned finished = 0;

__global__ void last_block(const float* in, size_t n, float* scratch, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    scratch[blockIdx.x] = sum;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(finished);
    if (count.fetch_add(1, cuda::memory_order_acq_rel) != gridDim.x - 1) return;
    sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += scratch[b];
    *out = sum;
    count.store(0, cuda::memory_order_relaxed);
}

void reduce(const float* in, size_t n, float* scratch, float* out) { last_block<<<40, 32>>>(in, n, scratch, out); }
