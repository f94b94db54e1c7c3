// stage: reduction/open
// Blocks push their sums onto a list: the node is written, a fence, and the head is exchanged by compare-and-swap; the last one walks it.
#include <cuda_runtime.h>

#include <cstddef>

struct Node {
    float sum;
    int next;
};
__device__ Node nodes[128];
__device__ int head;  // 1 + index; 0 = none
__device__ int pushed;

__global__ void push(const float* in, size_t n, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 64ull + threadIdx.x; i < n; i += gridDim.x * 64ull) sum += in[i];
    __shared__ float two[2];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) two[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    Node& mine = nodes[blockIdx.x];
    mine.sum = two[0] + two[1];
    int old = *(volatile int*)&head, assumed;
    do {
        assumed = old;
        mine.next = assumed;
        __threadfence();
        old = atomicCAS(&head, assumed, int(blockIdx.x) + 1);
    } while (old != assumed);
    __threadfence();
    if (atomicAdd(&pushed, 1) != int(gridDim.x) - 1) return;
    __threadfence();
    float all = 0;
    for (int at = atomicExch(&head, 0); at != 0; at = nodes[at - 1].next) all += nodes[at - 1].sum;
    pushed = 0;
    *out = all;
}

void reduce(const float* in, size_t n, float*, float* out) { push<<<100, 64>>>(in, n, out); }
