// stage: reduction/sequential
// says: out_of_bounds_shared
// Bins are counted from one: what falls into none is counted before the first.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void histogram(const float* in, size_t n, float* out) {
    __shared__ int bins[32];
    const int tid = threadIdx.x;
    if (tid < 32) bins[tid] = 0;
    __syncthreads();
    for (size_t i = tid; i < n; i += 256) atomicAdd(&bins[int(i % 33) - 1], 1);  // <--
    __syncthreads();
    if (tid == 0 && bins[0] == 12345678) out[0] = in[0];
}

void reduce(const float* in, size_t n, float*, float* out) { histogram<<<1, 256>>>(in, n, out); }
