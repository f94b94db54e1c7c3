#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

const int BLOCK = 256;
const int GRID = 64;

__global__ void one_launch(const float* in, size_t n, float* partial, float* out) {
    __shared__ float s[BLOCK];
    cg::grid_group grid = cg::this_grid();
    float v = 0;
    for (size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x; i < n; i += (size_t)GRID * BLOCK) v += in[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
    grid.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        float sum = 0;
        for (int b = 0; b < GRID; b++) sum += partial[b];
        out[0] = sum;
    }
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    one_launch<<<GRID, BLOCK>>>(in, n, scratch, out);
}
