// stage: reduction/open
// says: compiler
// A lambda for the device wants an option of nvcc: ordinary CUDA has none.
#include <cstddef>

#include <cuda_runtime.h>

template <class F>
__global__ void apply(const float* in, size_t n, float* out, F f) {
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 32) sum = f(sum, in[i]);
    for (int s = 16; s > 0; s /= 2) sum = f(sum, __shfl_down_sync(0xffffffff, sum, s));
    if (threadIdx.x == 0) *out = sum;
}

void reduce(const float* in, size_t n, float*, float* out) {
    const auto add = [] __device__(float a, float b) { return a + b; };  // <--
    apply<<<1, 32>>>(in, n, out, add);
}
