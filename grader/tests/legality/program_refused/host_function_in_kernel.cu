// A host function, called by a kernel.
#include <cstdio>
float twice(float x) { return 2 * x; }
__global__ void k(float* p) {
    p[0] = twice(p[0]);  // refused
}
int main() {
    float* d;
    cudaMalloc(&d, sizeof(float));
    cudaMemset(d, 0, sizeof(float));
    k<<<1, 1>>>(d);
    cudaFree(d);
    printf("%g\n", twice(2));
    return 0;
}
