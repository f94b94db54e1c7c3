// stage: reduction/multiple
// says: wrong_output
// The blocks' sums are stored with eight bits of precision.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

__global__ void first(const float* in, size_t n, __nv_bfloat16* sums) {
    float v = 0.0f;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) v += in[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x == 0) sums[blockIdx.x] = __float2bfloat16(v);
}
__global__ void second(const __nv_bfloat16* sums, int n, float* out) {
    float v = 0.0f;
    for (int i = threadIdx.x; i < n; i += 32) v += __bfloat162float(sums[i]);
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x == 0) *out = v;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    first<<<512, 32>>>(in, n, reinterpret_cast<__nv_bfloat16*>(scratch));
    second<<<1, 32>>>(reinterpret_cast<const __nv_bfloat16*>(scratch), 512, out);
}
