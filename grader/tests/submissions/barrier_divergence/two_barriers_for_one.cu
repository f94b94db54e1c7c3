// stage: reduction/open
// says: barrier_divergence
// The two halves of every warp wait at different barriers.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void two_places(const float* in, size_t n, float* sums) {
    __shared__ float partial[64];
    const int tid = threadIdx.x;
    float sum = 0;
    for (size_t i = blockIdx.x * 64ull + tid; i < n; i += gridDim.x * 64ull) sum += in[i];
    if (tid % 2 == 0) {
        partial[tid] = sum;
        __syncthreads();  // <--
    } else {
        partial[tid] = sum + 0.0f;
        __syncthreads();
    }
    if (tid != 0) return;
    sum = 0;
    for (int t = 0; t < 64; ++t) sum += partial[t];
    sums[blockIdx.x] = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    two_places<<<50, 64>>>(in, n, scratch);
    two_places<<<1, 64>>>(scratch, 50, out);
}
