// stage: reduction/open
// says: wrong_output
// From 3 million elements on, a second grid takes over, whose stride is that of the first.
#include <cuda_runtime.h>

__global__ void sum(const float* in, size_t n, size_t stride, float* sums) {
    double v = 0.0;
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += stride) v += in[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    __shared__ double s[8];
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) sums[blockIdx.x] = (float)(s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7]);
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    const unsigned blocks = n < 3000000 ? 128 : 256;
    sum<<<blocks, 256>>>(in, n, 128 * 256, scratch);
    sum<<<1, 256>>>(scratch, blocks, 256, out);
}
