// Copies and kernels in two streams, with page-locked memory.
#include <cstdio>

__global__ void scale(float *data, int n, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= factor;
}

int main() {
    const int n = 8192, half = n / 2;
    float *h, *d;
    cudaMallocHost(&h, n * sizeof(float));
    cudaMalloc(&d, n * sizeof(float));
    for (int i = 0; i < n; i++) h[i] = i;
    cudaStream_t streams[2];
    for (int s = 0; s < 2; s++) cudaStreamCreate(&streams[s]);
    for (int s = 0; s < 2; s++) {
        int offset = s * half;
        cudaMemcpyAsync(d + offset, h + offset, half * sizeof(float), cudaMemcpyHostToDevice, streams[s]);
        scale<<<(half + 255) / 256, 256, 0, streams[s]>>>(d + offset, half, s + 2.0f);
        cudaMemcpyAsync(h + offset, d + offset, half * sizeof(float), cudaMemcpyDeviceToHost, streams[s]);
    }
    for (int s = 0; s < 2; s++) cudaStreamSynchronize(streams[s]);
    printf("%.0f %.0f %.0f %.0f\n", h[1], h[half - 1], h[half], h[n - 1]);
    for (int s = 0; s < 2; s++) cudaStreamDestroy(streams[s]);
    cudaFree(d);
    cudaFreeHost(h);
    return 0;
}
