// stage: reduction/open
// says: barrier_divergence
// A grid-stride loop with a barrier inside, which threads leave after different numbers of turns.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void ragged_loop(const float* in, size_t n, float* sums) {
    __shared__ float partial[64];
    const int tid = threadIdx.x;
    partial[tid] = 0.0f;
    for (size_t i = blockIdx.x * 64ull + tid; i < n; i += gridDim.x * 64ull) {
        partial[tid] += in[i];
        __syncthreads();  // <--
    }
    __syncthreads();
    if (tid != 0) return;
    float sum = 0;
    for (int t = 0; t < 64; ++t) sum += partial[t];
    sums[blockIdx.x] = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    ragged_loop<<<50, 64>>>(in, n, scratch);
    ragged_loop<<<1, 64>>>(scratch, 50, out);
}
