// stage: histogram/open
// Lanes of equal value find each other by match_any; the lowest of them adds their count once, in a copy for each warp.
#include <cuda_runtime.h>

template <int kWarps>
__global__ void matched(const unsigned* __restrict__ in, unsigned* __restrict__ counts, int n) {
    __shared__ unsigned bins[kWarps][256];
    for (int i = threadIdx.x; i < kWarps * 256; i += blockDim.x) (&bins[0][0])[i] = 0;
    __syncthreads();
    const int warp = threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
    const int stride = gridDim.x * blockDim.x;
    for (int base = blockIdx.x * blockDim.x + warp * warpSize; base < n; base += stride) {
        const bool has = base + lane < n;
        const unsigned who = __ballot_sync(0xffffffffu, has);
        if (has) {
            const unsigned value = in[base + lane];
            const unsigned peers = __match_any_sync(who, value);
            if (__ffs(peers) - 1 == lane) bins[warp][value] += __popc(peers);
        }
        __syncwarp();
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) {
        unsigned sum = 0;
#pragma unroll
        for (int w = 0; w < kWarps; ++w) sum += bins[w][b];
        if (sum != 0) atomicAdd(counts + b, sum);
    }
}

void histogram(const unsigned int* in, unsigned int* counts, int n) {
    cudaMemsetAsync(counts, 0, 256 * sizeof(unsigned), 0);
    if (n > 0) matched<4><<<min((n + 127) / 128, 96), 128>>>(in, counts, n);
}
