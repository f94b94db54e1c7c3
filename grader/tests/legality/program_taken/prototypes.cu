// Declared first; the side is said there, or at the body, or at both.
#include <cstdio>
__device__ int device_first(int x);
__host__ __device__ int both_first(int x);
__global__ void k(int* p);
int host_first(int x);
int main() {
    int h, *d;
    cudaMalloc(&d, sizeof h);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%d %d %d\n", h, both_first(1), host_first(2));
    return 0;
}
__global__ void k(int* p) { p[0] = device_first(3) + both_first(4); }
__device__ int device_first(int x) { return x + 1; }
__host__ __device__ int both_first(int x) { return x + 2; }
int host_first(int x) { return x + 3; }
