#include <cstdio>
int main() {
    int h[64] = {1}, *d = nullptr;
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);  // right:
    cudaMalloc(&d, sizeof h);                            // right: cudaMalloc(&d, sizeof h); cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaFree(d);
}
