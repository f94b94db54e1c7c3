// stage: reduction/open
// says: race_global
// Release and acquire as they should be, but of the block's scope, between blocks.
#include <cuda/atomic>
#include <cuda_runtime.h>

#include <cstddef>

__device__ unsigned arrived;

__global__ void narrow(const float* in, size_t n, float* scratch, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    scratch[blockIdx.x] = sum;
    cuda::atomic_ref<unsigned, cuda::thread_scope_block> count(arrived);
    if (count.fetch_add(1, cuda::memory_order_acq_rel) != gridDim.x - 1) return;  // <--
    sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += scratch[b];
    *out = sum;
    arrived = 0;
}

void reduce(const float* in, size_t n, float* scratch, float* out) { narrow<<<30, 32>>>(in, n, scratch, out); }
