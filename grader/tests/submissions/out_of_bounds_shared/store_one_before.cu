// stage: reduction/sequential
// says: out_of_bounds_shared
// Counted from one, stored from zero: thread 0 stores before the array.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void one_before(const float* in, size_t n, float* out) {
    __shared__ float sums[256];
    const int tid = threadIdx.x;
    float mine = 0.0f;
    for (size_t i = blockIdx.x * 256ull + tid; i < n; i += gridDim.x * 256ull) mine += in[i];
    sums[tid - 1] = mine;  // <--
    __syncthreads();
    if (tid == 0) {
        float sum = 0.0f;
        for (int k = 0; k < 255; ++k) sum += sums[k];
        atomicAdd(out, sum);
    }
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    one_before<<<64, 256>>>(in, n, out);
}
