// stage: reduction/open
// says: deadlock
// The barrier of libcu++ expects 128 threads, and three of four warps come.
#include <cuda/barrier>
#include <cuda_runtime.h>

#include <cstddef>

__global__ void too_many(const float* in, size_t n, float* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ float part[96];
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x >= 96) return;
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 96) sum += in[i];
    part[threadIdx.x] = sum;
    bar.arrive_and_wait();  // <--
    if (threadIdx.x != 0) return;
    for (int t = 1; t < 96; ++t) sum += part[t];
    *out = sum;
}

void reduce(const float* in, size_t n, float*, float* out) { too_many<<<1, 128>>>(in, n, out); }
