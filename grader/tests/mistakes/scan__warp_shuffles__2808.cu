#include <cuda_runtime.h>
#include <cstddef>

constexpr int BLOCK = 1024;

__device__ unsigned inclusive(unsigned v) {
#pragma unroll
    for (int o = 1; o < 32; o <<= 1) {
        unsigned u = __shfl_up_sync(~0u, v, o);
        if ((threadIdx.x & 31) >= o) v += u;
    }
    return v;
}

__global__ void scan_tile(const unsigned* in, unsigned* out, unsigned* total, int n) {
    __shared__ unsigned w[32];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    unsigned v = inclusive(i < n ? in[i] : 0);
    int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    if (lane == 31) w[warp] = v;
    __syncthreads();
    if (warp == 0) w[lane] = inclusive(w[lane]);
    __syncthreads();
    if (warp) v += w[warp - 1];
    if (i < n) out[i] = v;
    if (threadIdx.x == BLOCK - 1) total[blockIdx.x] = v;
}

__global__ void carry_in(unsigned* out, const unsigned* total, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) out[i] += total[blockIdx.x];
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    int b1 = (n + BLOCK - 1) / BLOCK, b2 = (b1 + BLOCK - 1) / BLOCK;
    unsigned *t1 = scratch, *t2 = t1 + b1, *t3 = t2 + b2;
    scan_tile<<<b1, BLOCK>>>(in, out, t1, n);
    if (b1 > 1) {
        scan_tile<<<b2, BLOCK>>>(t1, t1, t2, b1);
        if (b2 > 1) {
            scan_tile<<<1, BLOCK>>>(t2, t2, t3, b2);
            carry_in<<<b2, BLOCK>>>(t1, t2, b1);
        }
        carry_in<<<b1, BLOCK>>>(out, t1, n);
    }
}
