// expect: stage=events verdict=pass rule=timed_copies
// Stage 3, events: how long does the kernel take?

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(EXIT_FAILURE);
}

__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 100000;
    const int threads = 256;
    const std::size_t bytes = n * sizeof(float);

    float *d_a = nullptr, *d_b = nullptr, *d_sum = nullptr;
    check(cudaMalloc(&d_a, bytes), "cudaMalloc");
    check(cudaMalloc(&d_b, bytes), "cudaMalloc");
    check(cudaMalloc(&d_sum, bytes), "cudaMalloc");

    float* a = static_cast<float*>(std::malloc(bytes));
    float* b = static_cast<float*>(std::malloc(bytes));
    float* sum = static_cast<float*>(std::malloc(bytes));
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = 2 * i;
    }
    check(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "cudaMemcpy of a");
    check(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "cudaMemcpy of b");

    cudaEvent_t start, stop;
    check(cudaEventCreate(&start), "cudaEventCreate");
    check(cudaEventCreate(&stop), "cudaEventCreate");

    check(cudaEventRecord(start), "cudaEventRecord of start");
    add<<<(n - 1) / threads + 1, threads>>>(d_a, d_b, d_sum, n);
    check(cudaGetLastError(), "launch of add");
    check(cudaMemcpy(sum, d_sum, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy of sum");
    check(cudaEventRecord(stop), "cudaEventRecord of stop");

    check(cudaEventSynchronize(stop), "add");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start, stop), "cudaEventElapsedTime");
    check(cudaEventDestroy(start), "cudaEventDestroy");
    check(cudaEventDestroy(stop), "cudaEventDestroy");

    check(cudaMemcpy(sum, d_sum, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy of sum");
    check(cudaFree(d_a), "cudaFree");
    check(cudaFree(d_b), "cudaFree");
    check(cudaFree(d_sum), "cudaFree");

    int right = 0;
    for (int i = 0; i < n; ++i) right += sum[i] == a[i] + b[i];
    std::printf("%d of %d sums are right\n", right, n);
    std::printf("the kernel took %.6f ms\n", milliseconds);
    std::free(a);
    std::free(b);
    std::free(sum);
    return 0;
}
