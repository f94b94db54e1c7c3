// A histogram whose bins are spread over the shared memory of a cluster's blocks.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;

__global__ void histogram(int *bins, int bins_of_block, const int *in, int n) {
    extern __shared__ int own[];
    cg::cluster_group cluster = cg::this_cluster();
    const int rank = cluster.block_rank(), blocks = cluster.dim_blocks().x;
    for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) own[i] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int bin = in[i];
        if (bin < 0 || bin >= blocks * bins_of_block) continue;
        int *theirs = cluster.map_shared_rank(own, bin / bins_of_block);
        atomicAdd(theirs + bin % bins_of_block, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) atomicAdd(&bins[rank * bins_of_block + i], own[i]);
}

int main() {
    const int n = 20000, count = 256;
    std::vector<int> values(n), bins(count), expected(count);
    unsigned state = 1;
    for (int &value : values) {
        state = state * 1664525u + 1013904223u;
        value = (state >> 24) % count;
        ++expected[value];
    }
    int *in, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, count * sizeof(int));
    cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    for (int blocks = 1; blocks <= 8; blocks *= 2) {
        cudaMemset(out, 0, count * sizeof(int));
        cudaLaunchConfig_t config = {};
        config.gridDim = 16;
        config.blockDim = 128;
        config.dynamicSmemBytes = count / blocks * sizeof(int);
        cudaLaunchAttribute attribute;
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = blocks;
        attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
        config.attrs = &attribute;
        config.numAttrs = 1;
        const cudaError_t error = cudaLaunchKernelEx(&config, histogram, out, count / blocks, (const int *)in, n);
        cudaMemcpy(bins.data(), out, count * sizeof(int), cudaMemcpyDeviceToHost);
        printf("clusters of %d: %s, %s\n", blocks, cudaGetErrorName(error), bins == expected ? "right" : "wrong");
    }
    cudaFree(in);
    cudaFree(out);
}
