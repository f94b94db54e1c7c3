#include <cuda_runtime.h>
#include <cstddef>

constexpr int N = 1024;

__global__ void block_scan(const unsigned* in, int n, unsigned* out, unsigned* sums) {
    __shared__ unsigned ping[N], pong[N];
    unsigned *src = ping, *dst = pong;
    const int t = threadIdx.x;
    const int g = blockIdx.x * N + t;
    src[t] = g < n ? in[g] : 0u;
    __syncthreads();
    for (int d = 1; d < N; d <<= 1) {
        if (t >= d) dst[t] = src[t] + src[t - d];
        __syncthreads();
        unsigned* tmp = src;
        src = dst;
        dst = tmp;
    }
    if (g < n) out[g] = src[t];
    if (t == N - 1) sums[blockIdx.x] = src[t];
}

__global__ void add_offset(unsigned* out, const unsigned* sums, int n) {
    const int g = blockIdx.x * N + threadIdx.x;
    if (blockIdx.x > 0 && g < n) out[g] += sums[blockIdx.x - 1];
}

static void scan_level(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    const int blocks = (n + N - 1) / N;
    block_scan<<<blocks, N>>>(in, n, out, scratch);
    if (blocks > 1) {
        scan_level(scratch, scratch, scratch + blocks, blocks);
        add_offset<<<blocks, N>>>(out, scratch, n);
    }
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n > 0) scan_level(in, out, scratch, n);
}
