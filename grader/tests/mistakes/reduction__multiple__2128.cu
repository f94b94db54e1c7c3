#include <cuda_runtime.h>

#include <cstddef>

const int BLOCK = 256;
const int GRID = 512;

__global__ void multiple(const float* in, std::size_t n, float* sums) {
    __shared__ float s[BLOCK];
    const int t = threadIdx.x;
    std::size_t chunk = (n + gridDim.x - 1) / gridDim.x;
    std::size_t start = chunk * blockIdx.x;
    std::size_t stop = start + chunk;
    float mine = 0;
    for (std::size_t i = start + t; i < stop; i += BLOCK)
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
    multiple<<<GRID, BLOCK>>>(in, n, scratch);
    multiple<<<1, BLOCK>>>(scratch, GRID, out);
}
