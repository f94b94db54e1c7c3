#include <cstdio>
__global__ void turn(int* p) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = s[31 - threadIdx.x];
}
int main() {
    int *d, h[32] = {};
    if (cudaMalloc(&d, sizeof h) != cudaSuccess) return 1;
    turn<<<1, 32>>>(d);  // right: turn<<<1, 32, sizeof h>>>(d);
    if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::printf("%d\n", h[0]);
    cudaFree(d);
}
