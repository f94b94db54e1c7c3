#include <cstdio>
__global__ void fill(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = i;
}
int main() {
    const int n = 1000;
    static int h[n];
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    fill<<<n / 256, 256>>>(d, n);  // right: fill<<<(n + 255) / 256, 256>>>(d, n);
    cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[1]);
    cudaFree(d);
}
