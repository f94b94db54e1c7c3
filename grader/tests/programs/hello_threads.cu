// Each thread says who it is; the order of the blocks is kept by one block.
#include <stdio.h>

__global__ void hello() { printf("Hello from block: %u, thread: %u\n", blockIdx.x, threadIdx.x); }

int main() {
    printf("before\n");
    hello<<<1, 4>>>();
    cudaDeviceSynchronize();
    printf("after\n");
    return 0;
}
