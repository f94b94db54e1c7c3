// stage: reduction/sequential
// One dynamic array cut in two by the kernel; a round reads one part and writes the other.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void ping_pong(const float* in, size_t n, float* sums) {
    extern __shared__ float both[];
    float *from = both, *to = both + blockDim.x;
    const unsigned tid = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + tid;
    from[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s) to[tid] = from[tid] + from[tid + s];
        __syncthreads();
        float* const swap = from;
        from = to;
        to = swap;
    }
    if (tid == 0) sums[blockIdx.x] = from[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    const int threads = 128;
    while (true) {
        const size_t blocks = n == 0 ? 1 : (n + threads - 1) / threads;
        ping_pong<<<blocks, threads, 2 * threads * sizeof(float)>>>(in, n, blocks == 1 ? out : scratch);
        if (blocks == 1) return;
        in = scratch;
        n = blocks;
        scratch += blocks;
    }
}
