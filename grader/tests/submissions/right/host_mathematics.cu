// stage: reduction/open
// A launcher that computes its grid with the functions of <cmath> on whole numbers, and types of the C library.
#include <cstddef>

#include <cuda_runtime.h>

#include <cmath>
#include <algorithm>

__global__ void halves(const float* in, size_t n, float* sums, uint step) {
    float sum = 0;
    const ulong first = blockIdx.x * 64ul + threadIdx.x;
    for (ulong i = first; i < n; i += step) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    __shared__ float other;
    if (threadIdx.x == 32) other = sum;
    __syncthreads();
    if (threadIdx.x == 0) sums[blockIdx.x] = sum + other;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    const int levels = (int)std::ceil(std::log2(std::max<int>((int)(n / 64), 2)));
    const uint blocks = (uint)std::min((double)pow(2, levels), sqrt(16384));
    const int roots = (int)std::sqrt(blocks * blocks);
    halves<<<roots, 64>>>(in, n, scratch, roots * 64);
    halves<<<1, 64>>>(scratch, roots, out, 64);
}
