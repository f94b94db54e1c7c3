// stage: reduction/open
// Both halves of a warp wait for themselves at one __syncwarp(), each with its own mask.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void sum(const float* in, std::size_t n, float*, float* out) {
    __shared__ float part[256];
    const unsigned t = threadIdx.x, lane = t % 32, half = lane < 16 ? 0xffffu : 0xffff0000u;
    const std::size_t i = blockIdx.x * std::size_t(256) + t;
    part[t] = i < n ? in[i] : 0.0f;
    __syncwarp(half);
    for (unsigned s = 8; s > 0; s /= 2) {
        const float other = part[t ^ s];
        __syncwarp(half);
        part[t] += other;
        __syncwarp(half);
    }
    if (lane % 16 == 0) atomicAdd(out, part[t]);
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    cudaMemset(out, 0, sizeof(float));
    if (n > 0) sum<<<static_cast<unsigned>((n - 1) / 256 + 1), 256>>>(in, n, scratch, out);
}
