#include <cooperative_groups.h>
#include <cstdio>
__global__ void __cluster_dims__(2, 1, 1) apart(int *out) {
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x < 32) cluster.sync();  // right: cluster.sync();
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = cluster.block_rank();
}
int main() {
    int *d;
    cudaMalloc(&d, 4 * 64 * sizeof(int));
    apart<<<4, 64>>>(d);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("failed\n");
    cudaFree(d);
}
