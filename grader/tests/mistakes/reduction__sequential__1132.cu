#include <cstddef>

__global__ void block_sum(const float* g_in, float* g_out, size_t n) {
    extern __shared__ float sdata[];
    unsigned int tid = threadIdx.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    sdata[tid] = (i < n) ? g_in[i] : 0.0f;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid - s];
        }
        __syncthreads();
    }
    if (tid == 0) g_out[blockIdx.x] = sdata[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    const int threads = 256;
    size_t m = n;
    const float* src = in;
    float* dst = scratch;
    while (true) {
        int blocks = m == 0 ? 1 : (int)((m + threads - 1) / threads);
        block_sum<<<blocks, threads, threads * sizeof(float)>>>(src, blocks == 1 ? out : dst, m);
        src = dst;
        dst += blocks;
        if (blocks <= 1) return;
        m = blocks;
    }
}
