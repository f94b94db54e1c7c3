// Eight blocks of 1024 threads at once, each thread with 400 KB of its own.
#include <cstdio>

__global__ void __cluster_dims__(8, 1, 1) large(int *out, int n) {
    int own[100000];
    for (int i = 0; i < n; ++i) own[(i * 77 + threadIdx.x) % 100000] = i;
    out[threadIdx.x] = own[(n * 5) % 100000];
}

int main() {
    int *out;
    cudaMalloc(&out, 4096);
    large<<<8, 1024>>>(out, 3);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
