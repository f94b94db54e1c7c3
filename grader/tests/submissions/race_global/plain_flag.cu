// stage: reduction/open
// says: race_global
// The flag is polled by volatile reads, but set by an ordinary store.
#include <cstddef>

#include <cuda_runtime.h>

__device__ int is_stored[8];

__global__ void plain_flag(const float* in, size_t n, float* scratch, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    if (blockIdx.x != 0) {
        scratch[blockIdx.x] = sum;
        __threadfence();
        is_stored[blockIdx.x] = 1;  // <--
        return;
    }
    for (unsigned b = 1; b < gridDim.x; ++b) {
        volatile int* flag = &is_stored[b];
        while (*flag == 0) {  // <--
        }
        __threadfence();
        *flag = 0;
        sum += scratch[b];
    }
    *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) { plain_flag<<<8, 32>>>(in, n, scratch, out); }
