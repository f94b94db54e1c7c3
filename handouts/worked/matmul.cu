// The product of two 8 x 8 matrices by one block, in two steps of 4 along the depth: what two tiles have in shared memory
// serves all threads. See it move: ./grader/warpgrade explain --page handouts/worked/matmul.cu
#include <cstdio>

#include <cuda_runtime.h>

constexpr int SIDE = 8, STEP = 4;

__global__ void multiply(const int* a, const int* b, int* c) {
    __shared__ int a_tile[SIDE][STEP], b_tile[STEP][SIDE];
    const int x = threadIdx.x, y = threadIdx.y;
    int sum = 0;
    for (int first = 0; first < SIDE; first += STEP) {
        if (x < STEP) a_tile[y][x] = a[y * SIDE + first + x];
        if (y < STEP) b_tile[y][x] = b[(first + y) * SIDE + x];
        __syncthreads();
        for (int p = 0; p < STEP; ++p) sum += a_tile[y][p] * b_tile[p][x];
        __syncthreads();
    }
    c[y * SIDE + x] = sum;
}

int main() {
    int host[SIDE * SIDE], found[SIDE * SIDE], *a, *b, *c;
    for (int i = 0; i < SIDE * SIDE; ++i) host[i] = i % 5;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMalloc(&c, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice);
    multiply<<<1, dim3(SIDE, SIDE)>>>(a, b, c);
    cudaMemcpy(found, c, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", found[0], found[1], found[SIDE * SIDE - 1]);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
