#include <cstdio>
__global__ void twice(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}
int main() {
    const int n = 1000;
    static float in[n], out[n];
    for (int i = 0; i < n; i++) in[i] = i;
    float *d_in, *d_out;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    // The input is not copied.  // right: cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    twice<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    printf("%g\n", out[n - 1]);
    cudaFree(d_in);
    cudaFree(d_out);
}
