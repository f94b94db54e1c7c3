#include <cooperative_groups.h>
#include <cstdio>
__global__ void __cluster_dims__(4, 1, 1) rotate(int *out) {
    __shared__ int own;
    auto cluster = cooperative_groups::this_cluster();
    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    if (threadIdx.x == 0) own = 10 * blockIdx.x;
    cluster.sync();
    const int theirs = *cluster.map_shared_rank(&own, next);
    __syncthreads();  // right: cluster.sync();
    if (threadIdx.x == 0) own = theirs + 1;
    cluster.sync();
    if (threadIdx.x == 0) out[blockIdx.x] = own;
}
int main() {
    int *d, h[4];
    cudaMalloc(&d, sizeof h);
    rotate<<<4, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    if (h[0] == 0) printf("not rotated\n");
    cudaFree(d);
}
