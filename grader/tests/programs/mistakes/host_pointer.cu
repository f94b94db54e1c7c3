#include <cstdio>
#include <cstdlib>
__global__ void twice(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2;
}
int main() {
    const int n = 1000;
    int *h = (int *)malloc(n * sizeof(int)), *d;
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    twice<<<4, 256>>>(h, n);  // right: twice<<<4, 256>>>(d, n);
    if (cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) printf("failed\n");
    cudaFree(d);
    free(h);
}
