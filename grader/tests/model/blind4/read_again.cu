// Each thread reads NEAR elements around its own, from L1 or from shared memory (HELD), and copies its own.
#include <cuda_runtime.h>

#ifndef NEAR
#define NEAR 4
#endif
#ifndef HELD
#define HELD 0
#endif
constexpr int THREADS = 256;

__global__ void look_around(const float* in, float* out, int n, float zero) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
#if HELD
    __shared__ float s[THREADS + 2 * NEAR];
    for (int k = threadIdx.x; k < THREADS + 2 * NEAR; k += THREADS) {
        const int at = blockIdx.x * THREADS + k - NEAR;
        s[k] = at >= 0 && at < n ? in[at] : 0;
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = -NEAR; k <= NEAR; ++k) sum += s[threadIdx.x + NEAR + k];
    if (i < n) out[i] = s[threadIdx.x + NEAR] + sum * zero;
#else
    if (i >= n) return;
    float sum = 0;
#pragma unroll
    for (int k = -NEAR; k <= NEAR; ++k) sum += i + k >= 0 && i + k < n ? in[i + k] : 0;
    out[i] = in[i] + sum * zero;
#endif
}
void copy(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    look_around<<<(n + THREADS - 1) / THREADS, THREADS>>>(in, out, n, 0.0f);
}
