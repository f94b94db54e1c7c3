// The C library in a kernel.
#include <cstdlib>
#include <cstring>
__global__ void k(int* p) {
    p[0] = rand() % 10;  // refused
}
int main() {
    int* d;
    cudaMalloc(&d, sizeof(int));
    srand(static_cast<unsigned>(strlen("seed")));
    k<<<1, 1>>>(d);
    cudaFree(d);
    return 0;
}
