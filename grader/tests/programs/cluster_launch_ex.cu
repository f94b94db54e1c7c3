// Launches of clusters by cudaLaunchKernelEx and its C form, with the dimensions that CUDA takes and those it does not.
#include <cstdio>

__device__ unsigned special(int which) {
    unsigned value = 0;
    if (which == 0) asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(value));
    if (which == 1) asm volatile("mov.u32 %0, %%nclusterid.x;" : "=r"(value));
    if (which == 2) asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(value));
    if (which == 3) asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(value));
    if (which == 4) asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(value));
    if (which == 5) asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(value));
    if (which == 6)
        asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(value));
    return value;
}

__global__ void specials(unsigned *out) {
    if (threadIdx.x == 0)
        for (int i = 0; i < 7; ++i) out[blockIdx.x * 7 + i] = special(i);
}
__global__ void __cluster_dims__(2, 1, 1) pairs(unsigned *out) {
    if (threadIdx.x == 0)
        for (int i = 0; i < 7; ++i) out[blockIdx.x * 7 + i] = special(i);
}

unsigned *out;

template <class Kernel> void launch(const char *what, Kernel *kernel, int blocks, int x, int y, int z) {
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = 32;
    cudaLaunchAttribute attributes[2];
    attributes[0].id = cudaLaunchAttributePriority;
    attributes[0].val.priority = 0;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim.x = x;
    attributes[1].val.clusterDim.y = y;
    attributes[1].val.clusterDim.z = z;
    config.attrs = attributes;
    config.numAttrs = x == 0 ? 1 : 2;
    cudaMemset(out, 0, 4 * 7 * sizeof(unsigned));
    const cudaError_t error = cudaLaunchKernelEx(&config, kernel, out);
    const cudaError_t last = cudaGetLastError();
    unsigned seen[28];
    cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost);
    printf("%s: %s, then %s\n", what, cudaGetErrorName(error), cudaGetErrorName(last));
    for (int i = 0; i < 28 && error == cudaSuccess; ++i) printf("%u%c", seen[i], i % 7 == 6 ? '\n' : ' ');
}

int main() {
    int has_clusters = 0;
    cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, 0);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    printf("clusters: %d %d\n", has_clusters, properties.clusterLaunch);
    cudaMalloc(&out, 4 * 7 * sizeof(unsigned));
    launch("no clusters", specials, 4, 0, 0, 0);
    launch("clusters of two", specials, 4, 2, 1, 1);
    launch("clusters of four", specials, 4, 4, 1, 1);
    launch("of the kernel", pairs, 4, 0, 0, 0);
    launch("of both", pairs, 4, 2, 1, 1);
    cudaLaunchConfig_t config = {};
    config.gridDim = 4;
    config.blockDim = 32;
    void *arguments[] = {&out};
    printf("C form: %s\n", cudaGetErrorName(cudaLaunchKernelExC(&config, (const void *)pairs, arguments)));
    printf("end: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(out);
}
