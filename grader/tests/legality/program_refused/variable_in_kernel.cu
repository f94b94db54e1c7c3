// Variables of the host, read by a kernel.
#include <cstdio>
int n = 32;
static float factor = 2;
__global__ void k(float* p) {
    if (threadIdx.x < n) p[threadIdx.x] = factor;  // refused
}
int main() {
    float *d, h[32];
    cudaMalloc(&d, sizeof h);
    k<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[5]);
    cudaFree(d);
    return 0;
}
