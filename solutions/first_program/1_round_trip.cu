// Stage 1, the round trip: allocate on the GPU, copy there, launch, copy back, free.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

constexpr int THREADS = 256;  // of a block

__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
    const std::size_t bytes = n * sizeof(float);

    float* a = static_cast<float*>(std::malloc(bytes));
    float* b = static_cast<float*>(std::malloc(bytes));
    float* sum = static_cast<float*>(std::malloc(bytes));
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = 2 * i;
        sum[i] = -1;
    }

    float *d_a = nullptr, *d_b = nullptr, *d_sum = nullptr;
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_sum, bytes);
    cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);

    add<<<(n - 1) / THREADS + 1, THREADS>>>(d_a, d_b, d_sum, n);

    cudaMemcpy(sum, d_sum, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_sum);

    int right = 0;
    for (int i = 0; i < n; ++i) right += sum[i] == a[i] + b[i];
    std::printf("%d of %d sums are right\n", right, n);
    std::printf("the last sum is %.0f\n", sum[n - 1]);
    std::free(a);
    std::free(b);
    std::free(sum);
    return 0;
}
