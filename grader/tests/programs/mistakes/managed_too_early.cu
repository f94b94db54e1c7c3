#include <cstdio>
__global__ void count(int *sum) { atomicAdd(sum, 1); }
int main() {
    int *sum;
    cudaMallocManaged(&sum, sizeof(int));
    *sum = 0;
    count<<<4, 64>>>(sum);
    printf("%d\n", *sum);  // right: cudaDeviceSynchronize(); printf("%d\n", *sum);
    cudaDeviceSynchronize();
    cudaFree(sum);
}
