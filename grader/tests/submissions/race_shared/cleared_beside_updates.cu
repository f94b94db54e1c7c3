// stage: reduction/open
// says: race_shared
// The first thread clears what the others may already have added to.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void sum(const float* in, std::size_t n, float*, float* out) {
    __shared__ float total;
    if (threadIdx.x == 0) total = 0;
    const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    atomicAdd(&total, i < n ? in[i] : 0.0f);  // <--
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, total);
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    cudaMemset(out, 0, sizeof(float));
    if (n > 0) sum<<<static_cast<unsigned>((n - 1) / 256 + 1), 256>>>(in, n, scratch, out);
}
