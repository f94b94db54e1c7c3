#include <cstdio>
__global__ void twice(int *a) { a[threadIdx.x] *= 2; }
int main() {
    int h[32] = {1}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaFree(d);             // right:
    twice<<<1, 32>>>(d);     // right: twice<<<1, 32>>>(d); cudaFree(d);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("failed\n");
}
