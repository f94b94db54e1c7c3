#include <cuda_runtime.h>

#include <cstddef>

const int BLOCK = 256;
const int GRID = 512;

__global__ void multiple(const float* in, std::size_t n, double* sums) {
    __shared__ float s[BLOCK];
    const int t = threadIdx.x;
    float mine = 0;
    for (std::size_t i = (std::size_t)blockIdx.x * BLOCK + t; i < n; i += (std::size_t)gridDim.x * BLOCK)
        mine += in[i];
    s[t] = mine;
    __syncthreads();
    for (int d = BLOCK / 2; d >= 1; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = s[0];
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    multiple<<<GRID, BLOCK>>>(in, n, (double*)scratch);
    multiple<<<1, BLOCK>>>(scratch, GRID, (double*)out);
}
