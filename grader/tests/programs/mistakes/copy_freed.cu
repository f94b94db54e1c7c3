#include <cstdio>
int main() {
    int h[64] = {1}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaFree(d);                                         // right:
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);  // right: cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); cudaFree(d);
    printf("%d\n", h[0]);
}
