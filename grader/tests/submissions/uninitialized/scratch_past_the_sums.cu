// stage: reduction/open
// says: uninitialized
// The second launch adds 1024 partial sums, however few the first one stored.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void sum_blocks(const float* in, size_t n, float* sums) {
    __shared__ float partial[256];
    const int tid = threadIdx.x;
    float sum = 0;
    for (size_t i = blockIdx.x * 256ull + tid; i < n; i += gridDim.x * 256ull) sum += in[i];  // <--
    partial[tid] = sum;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0) sums[blockIdx.x] = partial[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    sum_blocks<<<60, 256>>>(in, n, scratch);
    sum_blocks<<<1, 256>>>(scratch, 64, out);
}
