#include <cstdio>
int main() {
    const int n = 4096;
    int *h, *d;
    cudaMallocHost(&h, n * sizeof(int));
    cudaMalloc(&d, n * sizeof(int));
    cudaMemset(d, 1, n * sizeof(int));
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, s);
    printf("%d\n", h[7]);  // right: cudaStreamSynchronize(s); printf("%d\n", h[7]);
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    cudaFree(d);
    cudaFreeHost(h);
}
