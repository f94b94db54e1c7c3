#include <cuda_runtime.h>
#include <cstddef>

constexpr int BLOCK = 256;
constexpr int GRID = 528;

__device__ unsigned done = 0;

template <int N>
__device__ float tree(float* s, int t) {
    for (int k = N / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    return s[0];
}

__global__ void sum_all(const float* in, size_t n, float* part, float* out) {
    __shared__ float s[BLOCK];
    __shared__ bool last;
    const int t = threadIdx.x;
    float v = 0.f;
    for (size_t i = blockIdx.x * (size_t)BLOCK + t; i < n; i += (size_t)GRID * BLOCK) v += in[i];
    s[t] = v;
    __syncthreads();
    const float mine = tree<BLOCK>(s, t);
    if (t == 0) {
        part[blockIdx.x] = mine;
        __threadfence();
        last = atomicAdd(&done, 1u) == gridDim.x;
    }
    __syncthreads();
    if (last) {
        v = 0.f;
        for (int i = t; i < gridDim.x; i += BLOCK) v += part[i];
        s[t] = v;
        __syncthreads();
        const float all = tree<BLOCK>(s, t);
        if (t == 0) {
            *out = all;
            done = 0;
        }
    }
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) { sum_all<<<GRID, BLOCK>>>(in, n, scratch, out); }
