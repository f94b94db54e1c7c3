// cudaLaunchKernelEx, without attributes and with one.
#include <cooperative_groups.h>
#include <cstdio>
__global__ void scale(float* p, float factor, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= factor;
    cooperative_groups::this_grid().sync();
    if (i < n) p[i] += 1;
}
__global__ void nothing() {}
int main() {
    float h[64], *d;
    for (int i = 0; i < 64; ++i) h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2);
    config.blockDim = dim3(32);
    cudaError_t error = cudaLaunchKernelEx(&config, nothing);
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    if (error == cudaSuccess) error = cudaLaunchKernelEx(&config, scale, d, 2.0f, 64);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%s %g %g\n", cudaGetErrorName(error), h[5], h[63]);
    return 0;
}
