// How many of 128 numbers are of each of 4 kinds: lanes that add to the same word of shared memory wait for each other.
// See it move: ./grader/warpgrade explain --page handouts/worked/histogram.cu
#include <cstdio>

#include <cuda_runtime.h>

constexpr int COUNT = 128, KINDS = 4;

__global__ void count_kinds(const int* in, int* counts) {
    __shared__ int bins[KINDS];
    if (threadIdx.x < KINDS) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x] % KINDS], 1);
    __syncthreads();
    if (threadIdx.x < KINDS) counts[threadIdx.x] = bins[threadIdx.x];
}

int main() {
    int host[COUNT], found[KINDS], *in, *counts;
    for (int i = 0; i < COUNT; ++i) host[i] = i * i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&counts, sizeof found);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    count_kinds<<<1, COUNT>>>(in, counts);
    cudaMemcpy(found, counts, sizeof found, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", found[0], found[1], found[2], found[3]);
    cudaFree(in);
    cudaFree(counts);
}
