#include <cstdio>
#include <cstdlib>
int main() {
    const int n = 1000;
    double *h = (double *)malloc(n * sizeof(double)), *d;
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMalloc(&d, n * sizeof(float));  // right: cudaMalloc(&d, n * sizeof(double));
    cudaMemcpy(d, h, n * sizeof(double), cudaMemcpyHostToDevice);
    cudaFree(d);
    free(h);
}
