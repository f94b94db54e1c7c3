// The host may read what a kernel only reads, and another array, while the kernel runs.
#include <cstdio>

__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main() {
    const int n = 1000;
    float *a, *b, *c;
    cudaMallocManaged(&a, n * sizeof(float));
    cudaMallocManaged(&b, n * sizeof(float));
    cudaMallocManaged(&c, n * sizeof(float));
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }
    add<<<(n + 255) / 256, 256>>>(a, b, c, n);
    printf("a[5] is %g\n", a[5]);
    add<<<(n + 255) / 256, 256>>>(a, b, c, n);
    cudaDeviceSynchronize();
    printf("c[5] is %g\n", c[5]);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
