// stage: histogram/open
// Blocks sort by split: eight passes, one bit each, ranks by ballots and a scan of the warps; then runs are counted.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void sorted(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned values[kThreads], zeros_of[kThreads / 32];
    const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    const int i = blockIdx.x * kThreads + t;
    unsigned v = i < n ? in[i] : 0x100u;
    for (int bit = 0; bit < 9; ++bit) {
        const bool is_one = v >> bit & 1;
        const unsigned zeros = __ballot_sync(~0u, !is_one);
        if (lane == 0) zeros_of[warp] = __popc(zeros);
        __syncthreads();
        int before = __popc(zeros & ((1u << lane) - 1)), all = 0;
        for (int w = 0; w < kThreads / 32; ++w) {
            if (w < warp) before += zeros_of[w];
            all += zeros_of[w];
        }
        values[is_one ? all + t - before : before] = v;
        __syncthreads();
        v = values[t];
    }
    if (v > 255u) return;
    if (t > 0 && values[t - 1] == v) return;
    int end = t + 1;
    while (end < kThreads && values[end] == v) ++end;
    atomicAdd(&counts[v], static_cast<unsigned>(end - t));
}

void histogram(const unsigned int* in, unsigned int* counts, int n) {
    cudaMemset(counts, 0, 256 * sizeof(unsigned));
    if (n > 0) sorted<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, counts, n);
}
