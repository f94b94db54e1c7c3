// stage: reduction/open
// says: inactive_lane
// A shuffle inside of a grid-stride loop: lanes whose element is past the end have left it.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void ragged(const float* in, size_t n, float* out) {
    float total = 0;
    for (size_t i = blockIdx.x * 64ull + threadIdx.x; i < n; i += gridDim.x * 64ull) {
        float v = in[i];
        for (int s = 16; s > 0; s /= 2) v += __shfl_down_sync(0xffffffff, v, s);  // <--
        total += v;
    }
    if (threadIdx.x % 32 == 0) atomicAdd(out, total);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    ragged<<<10, 64>>>(in, n, out);
}
