#include <cstdio>
#include <cstdlib>
int main() {
    const int n = 1000;
    int *h = (int *)malloc(n * sizeof(int));
    int *d;
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);  // right: cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaFree(d);
    free(h);
}
