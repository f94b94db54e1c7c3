#include <cstdio>
__global__ void fill(int *a) { a[threadIdx.x] = threadIdx.x; }
int main() {
    int *d, h[32];
    cudaMalloc(&d, sizeof h);
    fill<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", d[5]);  // right: printf("%d\n", h[5]);
    cudaFree(d);
}
