// stage: histogram/open
// says: race_global
// Every thread fences what it stored, but thread 0 draws the ticket before the others have come: a barrier is missing.
#include <cuda_runtime.h>

constexpr int BLOCKS = 30;
__device__ unsigned parts[BLOCKS][256];
__device__ unsigned done;

__global__ void merge(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[256];
    __shared__ bool is_last;
    const int t = threadIdx.x;
    bins[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + t; i < n; i += BLOCKS * 256) atomicAdd(&bins[in[i]], 1);
    __syncthreads();
    parts[blockIdx.x][t] = bins[t];  // <--
    __threadfence();
    if (t == 0) is_last = atomicInc(&done, BLOCKS - 1) == BLOCKS - 1;
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    unsigned sum = 0;
    for (int b = 0; b < BLOCKS; ++b) sum += parts[b][t];  // <--
    counts[t] = sum;
}

void histogram(const unsigned* in, unsigned* counts, int n) { merge<<<BLOCKS, 256>>>(in, counts, n); }
