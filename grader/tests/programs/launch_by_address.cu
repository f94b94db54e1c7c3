// cudaLaunchKernel with an array of arguments, and the block size that CUDA suggests.
#include <cstdio>

__global__ void linear(float *y, float a, float b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * i + b;
}

int main() {
    int n = 1000;
    float a = 0.5f, b = 2, *y, h[1000];
    cudaMalloc(&y, sizeof(h));
    int minGrid = 0, blockSize = 0;
    cudaOccupancyMaxPotentialBlockSize(&minGrid, &blockSize, linear, 0, 0);
    void *args[] = {&y, &a, &b, &n};
    cudaError_t error = cudaLaunchKernel((const void *)linear, dim3((n + blockSize - 1) / blockSize), dim3(blockSize), args, 0, 0);
    cudaMemcpy(h, y, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%s: h[10] = %g, h[999] = %g, block of whole warps: %s\n", cudaGetErrorName(error), h[10], h[999],
           blockSize % 32 == 0 && blockSize >= 128 ? "yes" : "no");
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, linear);
    printf("static shared memory: %zu bytes\n", attributes.sharedSizeBytes);
    cudaFree(y);
}
