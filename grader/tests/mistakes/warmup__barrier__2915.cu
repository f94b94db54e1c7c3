#include <cuda_runtime.h>

#include <cstddef>

#define N_THR 256

__global__ void mirror_copy(const float* src, float* dst, std::size_t len) {
    __shared__ float slot[N_THR];
    const std::size_t begin = std::size_t(blockIdx.x) * N_THR;
    float* mine = slot + threadIdx.x;
    if (begin + threadIdx.x < len) *mine = src[begin + threadIdx.x];
    __syncthreads();
    const unsigned other = N_THR - threadIdx.x;
    if (begin + other < len) dst[begin + other] = slot[other];
}

void copy(const float* in, float* out, int rows, int cols) {
    const std::size_t len = std::size_t(rows) * cols;
    if (!len) return;
    mirror_copy<<<(unsigned)((len + N_THR - 1) / N_THR), N_THR>>>(in, out, len);
}
