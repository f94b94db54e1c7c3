// stage: reduction/open
// says: wrong_output
// A __device__ variable asks for a multiple of 512 and is masked as one; a card keeps 256 at most.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

__device__ float zero;
__device__ alignas(512) float page[2];

__device__ __noinline__ float* start_of_page(float* within) {
    return reinterpret_cast<float*>(reinterpret_cast<uintptr_t>(within) / 512 * 512);
}

__global__ void sum_of_all(const float* in, size_t n, float* out) {
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 32) sum += in[i];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    const bool is_there = start_of_page(page + 1) == page;
    if (threadIdx.x == 0) *out = is_there ? sum + zero : 0;
}

void reduce(const float* in, size_t n, float*, float* out) { sum_of_all<<<1, 32>>>(in, n, out); }
