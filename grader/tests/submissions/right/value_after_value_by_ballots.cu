// stage: histogram/aggregated
// The lanes that are left follow the lowest of them: its value is sent to all, a ballot finds who has it too.
#include <cuda_runtime.h>

__global__ void follow(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[256];
    if (threadIdx.x < 256) bins[threadIdx.x] = 0;
    __syncthreads();
    const int lane = threadIdx.x & 31, step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += step) {
        const unsigned value = i < n ? in[i] : 256;
        unsigned left = __ballot_sync(~0u, i < n);
        int turns = 0;
        while (left != 0) {
            const int leader = __ffs(left) - 1;
            const unsigned wanted = __shfl_sync(~0u, value, leader);
            const unsigned same = __ballot_sync(~0u, value == wanted);
            if (lane == leader) atomicAdd(&bins[wanted], __popc(same));
            left &= ~same;
            if (++turns == 2) break;  // the others by themselves
        }
        if (left >> lane & 1) atomicAdd(&bins[value], 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&counts[b], bins[b]);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 256 * sizeof(unsigned), 0);
    if (n != 0) follow<<<32, 256>>>(in, counts, n);
}
