// What the device says of itself, as far as every card of the last years says the same.
#include <cstdio>
#include <cstring>

int main() {
    int count = 0;
    cudaGetDeviceCount(&count);
    printf("devices: %s\n", count > 0 ? "some" : "none");
    cudaSetDevice(0);
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    printf("name: %s\n", strlen(prop.name) > 3 ? "given" : "missing");
    printf("warp size: %d\n", prop.warpSize);
    printf("threads a block: %d\n", prop.maxThreadsPerBlock);
    printf("block: %d x %d x %d\n", prop.maxThreadsDim[0], prop.maxThreadsDim[1], prop.maxThreadsDim[2]);
    printf("grid: %d x %d x %d\n", prop.maxGridSize[0], prop.maxGridSize[1], prop.maxGridSize[2]);
    printf("shared memory a block: %zu bytes\n", prop.sharedMemPerBlock);
    printf("registers a block: %d\n", prop.regsPerBlock);
    printf("constant memory: %zu bytes\n", prop.totalConstMem);
    int threads = 0;
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, 0);
    printf("by attribute: %d\n", threads);
    size_t free_bytes = 0, all = 0;
    cudaMemGetInfo(&free_bytes, &all);
    printf("memory: %s\n", free_bytes <= all && all == prop.totalGlobalMem ? "free and all" : "odd");
    return 0;
}
