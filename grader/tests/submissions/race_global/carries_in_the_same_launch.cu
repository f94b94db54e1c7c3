// stage: scan/open
// says: race_global
// A block adds the sums of all blocks before it, which these store in the same launch.
#include <cuda_runtime.h>

__global__ void together(const unsigned* in, unsigned* out, unsigned* sums, int n) {
    __shared__ unsigned of_warp[8], before;
    const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned v = i < n ? in[i] : 0;
    for (int s = 1; s < 32; s *= 2) {
        const unsigned other = __shfl_up_sync(~0u, v, s);
        if (lane >= s) v += other;
    }
    if (lane == 31) of_warp[warp] = v;
    __syncthreads();
    for (int w = 0; w < warp; ++w) v += of_warp[w];
    if (threadIdx.x == 255) sums[blockIdx.x] = v;  // <--
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned total = 0;
        for (unsigned b = 0; b < blockIdx.x; ++b) total += sums[b];  // <--
        before = total;
    }
    __syncthreads();
    if (i < n) out[i] = before + v;
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n > 0) together<<<(n + 255) / 256, 256>>>(in, out, scratch, n);
}
