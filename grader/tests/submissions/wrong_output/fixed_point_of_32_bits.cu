// stage: reduction/open
// says: wrong_output
// Sums in fixed point with 16 bits behind the point, in an int that overflows.
#include <cuda_runtime.h>

__device__ int total;
__global__ void clear() { total = 0; }
__global__ void add(const float* in, size_t n) {
    int v = 0;
    for (size_t i = blockIdx.x * 128ull + threadIdx.x; i < n; i += gridDim.x * 128ull) v += __float2int_rn(in[i] * 65536.0f);
    v = __reduce_add_sync(~0u, v);
    if (threadIdx.x % 32 == 0) atomicAdd(&total, v);
}
__global__ void give(float* out) { *out = total / 65536.0f; }

void reduce(const float* in, size_t n, float*, float* out) {
    clear<<<1, 1>>>();
    add<<<128, 128>>>(in, n);
    give<<<1, 1>>>(out);
}
