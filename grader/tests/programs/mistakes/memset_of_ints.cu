#include <cstdio>
__global__ void least(const int *values, int *result, int n) {
    if (threadIdx.x < n) atomicMin(result, values[threadIdx.x]);
}
int main() {
    const int n = 40;
    int values[n], result, *d_values, *d_result;
    for (int i = 0; i < n; i++) values[i] = 100 + i;
    cudaMalloc(&d_values, sizeof values);
    cudaMalloc(&d_result, sizeof(int));
    cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(d_result, 1000000, sizeof(int));  // right: cudaMemset(d_result, 0x7f, sizeof(int));
    least<<<1, 64>>>(d_values, d_result, n);
    cudaMemcpy(&result, d_result, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(d_values);
    cudaFree(d_result);
}
