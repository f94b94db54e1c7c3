// Mapped host memory, attributes of pointers and of the device.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__global__ void square(float *a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = a[i] * a[i];
}
int main(void) {
    int device, n = 2000;
    float *host, *mapped;
    cudaDeviceProp prop;
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&prop, device);
    if (!prop.canMapHostMemory) {
        printf("cannot map host memory\n");
        return EXIT_SUCCESS;
    }
    cudaSetDeviceFlags(cudaDeviceMapHost);
    if (cudaHostAlloc((void **)&host, n * sizeof(float), cudaHostAllocMapped | cudaHostAllocWriteCombined) != cudaSuccess) return 2;
    for (int i = 0; i < n; ++i) host[i] = i / 8.0f;
    cudaHostGetDevicePointer((void **)&mapped, host, 0);
    square<<<4, 64>>>(mapped, n);
    cudaError_t err = cudaDeviceSynchronize();
    if (err) {
        printf("%s\n", cudaGetErrorName(err));
        return 1;
    }
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += host[i];
    printf("sum %.3f\n", sum);
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, host);
    printf("pinned: %d\n", attributes.type == cudaMemoryTypeHost);
    float *registered = (float *)malloc(n * sizeof(float));
    memset(registered, 0, n * sizeof(float));
    cudaHostRegister(registered, n * sizeof(float), cudaHostRegisterDefault);
    cudaHostUnregister(registered);
    free(registered);
    cudaFreeHost(host);
    return 0;
}
