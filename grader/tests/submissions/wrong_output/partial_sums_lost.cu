// stage: reduction/open
// says: wrong_output partial_sums_lost
// The second launch adds at most 256 partial sums, however many there are.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void sum_blocks(const float* in, size_t n, float* sums) {
    __shared__ float partial[256];
    const int tid = threadIdx.x;
    const size_t i = blockIdx.x * 256ull + tid;
    partial[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0) sums[blockIdx.x] = partial[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    const size_t blocks = n == 0 ? 1 : (n + 255) / 256;
    sum_blocks<<<blocks, 256>>>(in, n, scratch);
    sum_blocks<<<1, 256>>>(scratch, blocks, out);
}
