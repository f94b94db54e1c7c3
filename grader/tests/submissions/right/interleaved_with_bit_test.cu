// stage: reduction/interleaved
// The first tree, with a bit test in place of the remainder and a break in place of the condition.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void bit_test(const float* in, size_t n, float* sums) {
    __shared__ float partial[128];
    const unsigned tid = threadIdx.x;
    const size_t i = blockIdx.x * 128ull + tid;
    partial[tid] = i < n ? in[i] : 0.0f;
    for (unsigned s = 1;; s <<= 1) {
        __syncthreads();
        if (s == 128) break;
        if ((tid & (2 * s - 1)) == 0) partial[tid] += partial[tid | s];
    }
    if (tid == 0) sums[blockIdx.x] = partial[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    do {
        const size_t blocks = n == 0 ? 1 : (n + 127) / 128;
        bit_test<<<blocks, 128>>>(in, n, blocks == 1 ? out : scratch);
        in = scratch;
        n = blocks;
        scratch += blocks;
    } while (n > 1);
}
