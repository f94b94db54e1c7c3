// Clusters of 1024 blocks, of no block, and of more than the grid has.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void any(int *out, int mask) {
    __shared__ int own[4];
    auto cluster = cooperative_groups::this_cluster();
    own[threadIdx.x % 4] = threadIdx.x;
    cluster.sync();
    int *theirs = cluster.map_shared_rank(own, (cluster.block_rank() * 77 + 1) & mask);
    out[0] = theirs[threadIdx.x & 3];
    cluster.sync();
}

int main() {
    int *out;
    cudaMalloc(&out, 4);
    const unsigned sizes[][3] = {{1024, 1, 1}, {0, 1, 1}, {3, 1, 1}, {~0u, ~0u, ~0u}, {65536, 65536, 1}, {1, 2, 1}};
    for (const auto &size : sizes) {
        cudaLaunchAttribute attribute;
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = size[0];
        attribute.val.clusterDim.y = size[1];
        attribute.val.clusterDim.z = size[2];
        cudaLaunchConfig_t config = {};
        config.gridDim = 1024;
        config.blockDim = 4;
        config.attrs = &attribute;
        config.numAttrs = 1;
        if (cudaLaunchKernelEx(&config, any, out, 0) != cudaSuccess) printf("refused\n");
    }
    any<<<2, 4>>>(out, 0xffff);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
