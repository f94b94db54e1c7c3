// stage: reduction/open
// Pairwise summation as elements come: partial sums of 1, 2, 4, ... elements carry like the digits of a counter.
#include <cuda_runtime.h>

#include <cstddef>

struct Pairwise {
    float level[32];  // a sum of 2^k elements where bit k of count is set
    unsigned count = 0;

    __device__ void add(float value) {
        int k = 0;
        for (unsigned c = count; c & 1; c >>= 1) value = level[k++] + value;
        level[k] = value;
        ++count;
    }
    __device__ float sum() const {
        float all = 0;
        for (int k = 0; k < 32; ++k)
            if (count >> k & 1) all += level[k];
        return all;
    }
};

__global__ void carried(const float* in, size_t n, float* sums) {
    __shared__ float tree[128];
    Pairwise mine;
    for (size_t i = blockIdx.x * size_t(128) + threadIdx.x; i < n; i += gridDim.x * size_t(128)) mine.add(in[i]);
    tree[threadIdx.x] = mine.sum();
    for (int s = 64; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s) tree[threadIdx.x] += tree[threadIdx.x + s];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = tree[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    carried<<<48, 128>>>(in, n, scratch);
    carried<<<1, 128>>>(scratch, 48, out);
}
