// Heat flow in a plate: two buffers that change places after each step.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#define CUDA_CHECK(call)                                                                     \
    {                                                                                        \
        cudaError_t err = (call);                                                            \
        if (err != cudaSuccess) {                                                            \
            fprintf(stderr, "%s failed: %s\n", #call, cudaGetErrorString(err));              \
            std::exit(1);                                                                    \
        }                                                                                    \
    }

__global__ void step(const double *in, double *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
        out[y * n + x] = 0.25 * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}

int main() {
    const int n = 34, steps = 50;
    double *h = (double *)calloc(n * n, sizeof(double)), *a = nullptr, *b = nullptr;
    for (int x = 0; x < n; ++x) h[x] = 64;
    CUDA_CHECK(cudaMalloc(&a, n * n * sizeof(double)));
    CUDA_CHECK(cudaMalloc(&b, n * n * sizeof(double)));
    CUDA_CHECK(cudaMemcpy(a, h, n * n * sizeof(double), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(b, a, n * n * sizeof(double), cudaMemcpyDeviceToDevice));
    dim3 threads(16, 16), blocks((n + 15) / 16, (n + 15) / 16);
    for (int i = 0; i < steps; ++i) {
        step<<<blocks, threads>>>(a, b, n);
        CUDA_CHECK(cudaGetLastError());
        std::swap(a, b);
    }
    CUDA_CHECK(cudaMemcpy(h, a, n * n * sizeof(double), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < n * n; ++i) sum += h[i];
    printf("top %.1f, below %.4f, middle %.6f, sum %.3f\n", h[5], h[n + n / 2], h[n / 2 * n + n / 2], sum);
    CUDA_CHECK(cudaFree(a));
    CUDA_CHECK(cudaFree(b));
    free(h);
}
