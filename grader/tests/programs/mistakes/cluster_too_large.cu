#include <cstdio>
__global__ void fill(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; }
int main() {
    int *d;
    cudaMalloc(&d, 32 * 32 * sizeof(int));
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    attribute.val.clusterDim.x = 32;  // right: attribute.val.clusterDim.x = 8;
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = 32;
    config.attrs = &attribute;
    config.numAttrs = 1;
    if (cudaLaunchKernelEx(&config, fill, d) != cudaSuccess) printf("not launched\n");
    cudaFree(d);
}
