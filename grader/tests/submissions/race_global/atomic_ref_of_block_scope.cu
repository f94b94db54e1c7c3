// stage: reduction/open
// says: race_global
// An atomic_ref whose scope is the block, for a sum that all blocks add to.
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <cstddef>
__global__ void zero(float* out) { *out = 0; }
__global__ void add(const float* in, size_t n, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (threadIdx.x == 0) cuda::atomic_ref<float, cuda::thread_scope_block>(*out).fetch_add(sum, cuda::memory_order_relaxed);  // <--
}
void reduce(const float* in, size_t n, float*, float* out) { zero<<<1, 1>>>(out); add<<<50, 32>>>(in, n, out); }
