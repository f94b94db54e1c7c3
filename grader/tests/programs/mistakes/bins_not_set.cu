#include <cstdio>
__global__ void count(const int *values, unsigned *bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[values[i]], 1u);
}
int main() {
    const int n = 1000;
    static int values[n];
    for (int i = 0; i < n; i++) values[i] = i % 4;
    int *d_values;
    unsigned *d_bins, bins[4];
    cudaMalloc(&d_values, sizeof values);
    cudaMalloc(&d_bins, sizeof bins);
    cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);
    // The bins hold anything.  // right: cudaMemset(d_bins, 0, sizeof bins);
    count<<<(n + 255) / 256, 256>>>(d_values, d_bins, n);
    cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
    printf("%d\n", bins[0] > 0);
    cudaFree(d_values);
    cudaFree(d_bins);
}
