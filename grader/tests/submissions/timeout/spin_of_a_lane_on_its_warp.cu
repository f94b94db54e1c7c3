// stage: reduction/open
// says: timeout
// Lanes take turns from 1 to 31; lane 0 waits for a turn that has never been its own.
#include <cuda_runtime.h>
#include <cstddef>
__global__ void finish(const float* scratch, float* out, int k) {
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += scratch[i];
    *out = sum;
}

__global__ void hand(const float* in, size_t n, float* scratch) {
    __shared__ volatile int turn;
    __shared__ float sum;
    if (threadIdx.x == 0) { turn = 1; sum = 0; }
    __syncthreads();
    float own = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) own += in[i];
    while (turn != threadIdx.x) {  // <--
    }
    sum += own;
    __threadfence_block();
    turn = turn + 1;
    __syncwarp();
    if (threadIdx.x == 0) scratch[blockIdx.x] = sum;
}
void reduce(const float* in, size_t n, float* scratch, float* out) { hand<<<10, 32>>>(in, n, scratch); finish<<<1, 1>>>(scratch, out, 10); }
