#include <cstdio>
int main() {
    int h[16] = {0}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, 2 * sizeof h);  // right: cudaMemset(d, 0, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaFree(d);
}
