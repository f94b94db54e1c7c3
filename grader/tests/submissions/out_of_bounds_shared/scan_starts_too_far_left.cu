// stage: reduction/sequential
// says: out_of_bounds_shared
// An inclusive scan in steps of 1, 2, 4, ...: the first threads of each step have no partner.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void scan(const float* in, size_t n, float* out) {
    __shared__ float sums[256];
    const int tid = threadIdx.x;
    const size_t i = blockIdx.x * 256ull + tid;
    sums[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int s = 1; s < 256; s *= 2) {
        const float partner = sums[tid - s];  // <--
        __syncthreads();
        if (tid >= s) sums[tid] += partner;
        __syncthreads();
    }
    if (tid == 255) atomicAdd(out, sums[tid]);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    scan<<<n / 256 + 1, 256>>>(in, n, out);
}
