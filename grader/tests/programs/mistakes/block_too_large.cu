#include <cstdio>
__global__ void fill(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
int main() {
    int *d, h = 0;
    cudaMalloc(&d, 2048 * sizeof(int));
    cudaMemset(d, 0, 2048 * sizeof(int));
    fill<<<1, 2048>>>(d);  // right: fill<<<2, 1024>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    cudaFree(d);
}
