// stage: reduction/open
// The full mask, though lanes without an element have returned: CUDA waits for those that still run, and what a shuffle
// brings from the others is used by nobody.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void clear(float* out) { *out = 0; }

__global__ void add_up(const float* in, std::size_t n, float* out) {
    const std::size_t i = blockIdx.x * std::size_t{32} + threadIdx.x;
    if (i >= n) return;
    const std::size_t left = n - blockIdx.x * std::size_t{32};
    float sum = in[i];
    for (unsigned s = 16; s > 0; s /= 2) {
        const float other = __shfl_down_sync(0xffffffff, sum, s);
        if (threadIdx.x + s < left) sum += other;
    }
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

void reduce(const float* in, std::size_t n, float*, float* out) {
    clear<<<1, 1>>>(out);
    if (n != 0) add_up<<<static_cast<unsigned>((n + 31) / 32), 32>>>(in, n, out);
}
