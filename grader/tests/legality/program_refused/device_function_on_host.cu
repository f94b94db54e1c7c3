// A __device__ function, called by main() with constants and in a loop.
#include <cstdio>
__device__ int square(int x) { return x * x; }
__global__ void k(int* p) { p[threadIdx.x] = square(threadIdx.x); }
int main() {
    int h[4], *d;
    cudaMalloc(&d, sizeof h);
    k<<<1, 4>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (int i = 0; i < 4; ++i)
        if (h[i] != square(i)) return 1;  // refused
    printf("%d\n", square(3));
    return 0;
}
