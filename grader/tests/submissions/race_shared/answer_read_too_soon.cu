// stage: reduction/open
// says: race_shared
// Thread 0 says in shared memory whether this block is the last one, and the others look before it has.
#include <cuda_runtime.h>

#include <cstddef>

__device__ unsigned done;

__global__ void soon(const float* in, size_t n, float* scratch, float* out) {
    __shared__ bool is_last;
    __shared__ float part[4];
    float sum = 0;
    for (size_t i = blockIdx.x * 128ull + threadIdx.x; i < n; i += gridDim.x * 128ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        scratch[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
        __threadfence();
        is_last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;  // <--
    }
    if (!is_last) return;  // <--
    __threadfence();
    if (threadIdx.x != 0) return;
    sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += scratch[b];
    *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) { soon<<<20, 128>>>(in, n, scratch, out); }
