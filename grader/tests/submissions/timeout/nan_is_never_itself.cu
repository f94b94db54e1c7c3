// stage: reduction/open
// says: timeout
// The compare-and-swap loop compares floats: once the sum is not a number, it is never equal to what was read.
#include <cuda_runtime.h>

__device__ void add(float* to, float v) {
    float old = *to, assumed;
    do {
        assumed = old;
        old = __int_as_float(atomicCAS(reinterpret_cast<int*>(to), __float_as_int(assumed), __float_as_int(assumed + v)));
    } while (old != assumed);  // <--
}

__global__ void sum(const float* in, size_t n, float* out) {
    float v = 0.0f;
    for (size_t i = blockIdx.x * 128ull + threadIdx.x; i < n; i += gridDim.x * 128ull) v += in[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) add(out, v);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemset(out, 0, sizeof(float));
    sum<<<40, 128>>>(in, n, out);
}
