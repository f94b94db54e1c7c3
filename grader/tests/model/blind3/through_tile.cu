// A copy by way of shared memory, EACH elements a thread; BARRIER: waits for the block in between.
#include <cuda_runtime.h>

#ifndef EACH
#define EACH 4
#endif
#ifndef THREADS
#define THREADS 256
#endif
#ifndef BARRIER
#define BARRIER 1
#endif

__global__ void by_way_of_tile(const float* in, float* out, long long n) {
    __shared__ float tile[THREADS * EACH];
    const long long first = static_cast<long long>(blockIdx.x) * THREADS * EACH;
    for (int k = threadIdx.x; k < THREADS * EACH; k += THREADS)
        if (first + k < n) tile[k] = in[first + k];
#if BARRIER
    __syncthreads();
#endif
    for (int k = threadIdx.x; k < THREADS * EACH; k += THREADS)
        if (first + k < n) out[first + k] = tile[k];
}

void copy(const float* in, float* out, int rows, int cols) {
    const long long n = static_cast<long long>(rows) * cols;
    by_way_of_tile<<<static_cast<unsigned>((n + THREADS * EACH - 1) / (THREADS * EACH)), THREADS>>>(in, out, n);
}
