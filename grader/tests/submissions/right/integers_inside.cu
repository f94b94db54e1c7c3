// stage: reduction/open
// A fast path in integers for blocks of whole numbers, chosen by a vote of the block; floats for the others.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void mixed(const float* in, size_t n, float* sums) {
    __shared__ unsigned whole_sum;
    __shared__ float float_sum;
    if (threadIdx.x == 0) whole_sum = 0, float_sum = 0;
    __syncthreads();
    const size_t i = blockIdx.x * 256ull + threadIdx.x;
    const float x = i < n ? in[i] : 0.0f;
    const bool is_whole = x >= 0 && x < 65536 && x == floorf(x);
    if (__syncthreads_and(is_whole)) {
        const unsigned sum = __reduce_add_sync(0xffffffff, static_cast<unsigned>(x));
        if (threadIdx.x % 32 == 0) atomicAdd(&whole_sum, sum);
    } else {
        float sum = x;
        for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
        if (threadIdx.x % 32 == 0) atomicAdd(&float_sum, sum);
    }
    __syncthreads();
    if (threadIdx.x == 0) sums[blockIdx.x] = float_sum + static_cast<float>(whole_sum);
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    while (true) {
        const size_t blocks = n == 0 ? 1 : (n + 255) / 256;
        mixed<<<blocks, 256>>>(in, n, blocks == 1 ? out : scratch);
        if (blocks == 1) return;
        in = scratch;
        n = blocks;
        scratch += blocks;
    }
}
