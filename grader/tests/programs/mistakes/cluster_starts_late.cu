#include <cooperative_groups.h>
#include <cstdio>
__global__ void __cluster_dims__(2, 1, 1) give(int *out) {
    __shared__ int got;
    auto cluster = cooperative_groups::this_cluster();
    const unsigned other = cluster.block_rank() ^ 1;
    __syncthreads();  // right: cluster.sync();
    if (threadIdx.x == 0) *cluster.map_shared_rank(&got, other) = blockIdx.x;
    cluster.sync();
    if (threadIdx.x == 0) out[blockIdx.x] = got;
}
int main() {
    int *d, h[4];
    cudaMalloc(&d, sizeof h);
    give<<<4, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    if (h[0] != 1) printf("not swapped\n");
    cudaFree(d);
}
