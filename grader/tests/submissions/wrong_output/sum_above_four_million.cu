// stage: reduction/multiple
// says: wrong_output
// From 2^22 elements on more blocks are launched than the second kernel adds up.
#include <cuda_runtime.h>

__global__ void partial(const float* in, size_t n, float* sums) {
    __shared__ float tile[256];
    float sum = 0;
    for (size_t i = blockIdx.x * size_t(256) + threadIdx.x; i < n; i += gridDim.x * size_t(256)) sum += in[i];
    tile[threadIdx.x] = sum;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (threadIdx.x < s) tile[threadIdx.x] += tile[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = tile[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    const int blocks = n > (size_t(1) << 22) ? 512 : 256;
    partial<<<blocks, 256>>>(in, n, scratch);
    partial<<<1, 256>>>(scratch, 256, out);
}
