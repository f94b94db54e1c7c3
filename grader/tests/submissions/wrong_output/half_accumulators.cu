// stage: reduction/open
// says: wrong_output
// Elements rounded to half precision: whole numbers survive, fractions do not.
#include <cstddef>

#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void halves(const float* in, size_t n, float* sums) {
    __shared__ float partial[128];
    const int tid = threadIdx.x;
    float sum = 0;
    for (size_t i = blockIdx.x * 128ull + tid; i < n; i += gridDim.x * 128ull) sum += __half2float(__float2half(in[i]));
    partial[tid] = sum;
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0) sums[blockIdx.x] = partial[0];
}

__global__ void add_up(const float* sums, int count, float* out) {
    float sum = 0;
    for (int i = 0; i < count; ++i) sum += sums[i];
    *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    halves<<<64, 128>>>(in, n, scratch);
    add_up<<<1, 1>>>(scratch, 64, out);
}
