#include <cstdio>
__constant__ float factor[2];
__global__ void scale(float *a) { a[threadIdx.x] = factor[threadIdx.x % 2]; }
int main() {
    float h[32], values[2] = {1, 2}, *d;
    cudaMalloc(&d, sizeof h);
    scale<<<1, 32>>>(d);                                  // right: cudaMemcpyToSymbol(factor, values, sizeof values);
    cudaMemcpyToSymbol(factor, values, sizeof values);    // right: scale<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[1]);
    cudaFree(d);
}
