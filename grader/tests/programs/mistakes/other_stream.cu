#include <cstdio>
int main() {
    const int n = 4096;
    int *h, *d;
    cudaMallocHost(&h, n * sizeof(int));
    cudaMalloc(&d, n * sizeof(int));
    cudaMemset(d, 1, n * sizeof(int));
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, a);
    cudaStreamSynchronize(b);  // right: cudaStreamSynchronize(a);
    printf("%d\n", h[7]);
    cudaDeviceSynchronize();
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFree(d);
    cudaFreeHost(h);
}
