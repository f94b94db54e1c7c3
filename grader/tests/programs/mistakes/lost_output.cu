#include <cstdio>
__global__ void hello() { printf("hello from thread %d\n", threadIdx.x); }
int main() {
    hello<<<1, 2>>>();  // right: hello<<<1, 2>>>(); cudaDeviceSynchronize();
    return 0;
}
