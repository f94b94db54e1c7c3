#include <cstdio>
__constant__ float weights[4];
__global__ void scale(float *v) { v[threadIdx.x] *= weights[threadIdx.x % 4]; }
int main() {
    const float w[4] = {1, 2, 3, 4};
    float h[32], *d;
    for (float &x : h) x = 1;
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaMemcpy(weights, w, sizeof(w), cudaMemcpyHostToDevice);  // right: cudaMemcpyToSymbol(weights, w, sizeof(w));
    scale<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%f\n", h[3]);
    cudaFree(d);
}
