// Variables of the GPU, used on both sides in the ways that exist.
#include <cstdio>
__constant__ float weights[2];
__device__ int counter;
__managed__ int total;
static __device__ float table[2] = {1, 2};
__global__ void k() {
    atomicAdd(&counter, 1);
    total = counter + static_cast<int>(weights[0] + table[1]);
}
int main() {
    const float w[2] = {3, 4};
    cudaMemcpyToSymbol(weights, w, sizeof w);
    k<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("%d\n", total);
    return 0;
}
