// stage: reduction/unrolled
// The last warp through volatile shared memory, with a __syncwarp() between each read and the next write.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void volatile_tail(const float* in, size_t n, float* sums) {
    __shared__ float partial[256];
    const int tid = threadIdx.x;
    const size_t i = blockIdx.x * 512ull + tid;
    partial[tid] = (i < n ? in[i] : 0.0f) + (i + 256 < n ? in[i + 256] : 0.0f);
    __syncthreads();
    for (int s = 128; s > 32; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        volatile float* p = partial;
        float sum = p[tid] + p[tid + 32];
        __syncwarp();
        p[tid] = sum;
        __syncwarp();
        for (int s = 16; s > 0; s /= 2) {
            sum += p[tid + s];
            __syncwarp();
            p[tid] = sum;
            __syncwarp();
        }
        if (tid == 0) sums[blockIdx.x] = sum;
    }
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    while (true) {
        const size_t blocks = n == 0 ? 1 : (n + 511) / 512;
        volatile_tail<<<blocks, 256>>>(in, n, blocks == 1 ? out : scratch);
        if (blocks == 1) return;
        in = scratch;
        n = blocks;
        scratch += blocks;
    }
}
