// stage: reduction/open
// A tree that is unrolled by templates that name themselves with half of the size.
#include <cstddef>

#include <cuda_runtime.h>

template <int N>
struct Tree {
    static __device__ void sum(float* partial, int tid) {
        if (tid < N) partial[tid] += partial[tid + N];
        if constexpr (N > 32) __syncthreads();
        else __syncwarp();
        Tree<N / 2>::sum(partial, tid);
    }
};

template <>
struct Tree<0> {
    static __device__ void sum(float*, int) {}
};

template <int THREADS>
__global__ void sums(const float* in, size_t n, float* out) {
    __shared__ float partial[THREADS];
    float mine = 0;
    for (size_t i = blockIdx.x * THREADS + threadIdx.x; i < n; i += size_t{THREADS} * gridDim.x) mine += in[i];
    partial[threadIdx.x] = mine;
    __syncthreads();
    Tree<THREADS / 2>::sum(partial, threadIdx.x);
    if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    sums<512><<<100, 512>>>(in, n, scratch);
    sums<128><<<1, 128>>>(scratch, 100, out);
}
