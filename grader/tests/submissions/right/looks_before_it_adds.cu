// stage: reduction/open
// Who is largest is kept beside the sum: a volatile look spares most atomic operations, whatever old value it gets.
#include <cuda_runtime.h>

#include <cstddef>

__device__ int largest;
__device__ float total;
__device__ unsigned done;

__global__ void start() { largest = 0, total = 0, done = 0; }

__global__ void both(const float* in, size_t n, float* out) {
    float sum = 0;
    int most = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) {
        sum += in[i];
        most = max(most, __float_as_int(fabsf(in[i])));
    }
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    most = __reduce_max_sync(~0u, most);
    if (threadIdx.x != 0) return;
    if (*static_cast<volatile int*>(&largest) < most) atomicMax(&largest, most);
    atomicAdd(&total, sum);
    __threadfence();
    if (atomicAdd(&done, 1u) + 1 != gridDim.x) return;
    __threadfence();
    const float all = *static_cast<volatile float*>(&total);
    *out = largest >= 0 ? all : 0;
}

void reduce(const float* in, size_t n, float*, float* out) {
    start<<<1, 1>>>();
    both<<<64, 32>>>(in, n, out);
}
