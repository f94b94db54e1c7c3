// stage: reduction/open
// says: out_of_bounds
// The last threads load past the end and multiply what they find by zero: right as long as it is a number, and mapped.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void masked(const float* in, size_t n, float* out) {
    __shared__ float sums[8];
    float sum = 0;
    for (size_t i = threadIdx.x; i < (n + 255) / 256 * 256; i += 256)
        sum += in[i] * static_cast<float>(i < n);  // <--
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < 8; ++w) sum += sums[w];
    *out = sum;
}

void reduce(const float* in, size_t n, float*, float* out) { masked<<<1, 256>>>(in, n, out); }
