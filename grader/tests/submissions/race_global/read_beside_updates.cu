// stage: reduction/open
// says: race_global
// The last thread reads while threads of other warps still add.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void sum(const float* in, std::size_t n, float* scratch, float* out) {
    if (threadIdx.x == 0) scratch[blockIdx.x] = 0;
    __syncthreads();
    const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    atomicAdd(&scratch[blockIdx.x], i < n ? in[i] : 0.0f);
    if (threadIdx.x == blockDim.x - 1) atomicAdd(out, scratch[blockIdx.x]);  // <--
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    cudaMemset(out, 0, sizeof(float));
    if (n > 0) sum<<<static_cast<unsigned>((n - 1) / 256 + 1), 256>>>(in, n, scratch, out);
}
