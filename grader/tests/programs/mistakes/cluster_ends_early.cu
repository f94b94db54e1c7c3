#include <cooperative_groups.h>
#include <cstdio>
__global__ void __cluster_dims__(2, 1, 1) swap(int *out) {
    __shared__ int own;
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) own = blockIdx.x;
    cluster.sync();
    const unsigned other = cluster.block_rank() ^ 1;
    const int *theirs = cluster.map_shared_rank(&own, other);
    if (threadIdx.x == 0) out[blockIdx.x] = *theirs;  // right: if (threadIdx.x == 0) out[blockIdx.x] = *theirs; cluster.sync();
}
int main() {
    int *d, h[4];
    cudaMalloc(&d, sizeof h);
    swap<<<4, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    if (h[0] != 1) printf("not swapped\n");
    cudaFree(d);
}
