// expect: stage=errors verdict=wrong kind=wrong_output
// Stage 2, errors: every call of CUDA can fail, and none of them says so by itself.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// Ends the program after an error. `what` names the call.
void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
}

__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
    const int threads = argc > 2 ? std::atoi(argv[2]) : 256;
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
        sum[i] = -1;
    }
    check(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice), "cudaMemcpy of a");
    check(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice), "cudaMemcpy of b");

    add<<<(n - 1) / threads + 1, threads>>>(d_a, d_b, d_sum, n);
    check(cudaGetLastError(), "launch of add");
    check(cudaDeviceSynchronize(), "add");

    check(cudaMemcpy(sum, d_sum, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy of sum");
    check(cudaFree(d_a), "cudaFree");
    check(cudaFree(d_b), "cudaFree");
    check(cudaFree(d_sum), "cudaFree");

    int right = 0;
    for (int i = 0; i < n; ++i) right += sum[i] == a[i] + b[i];
    std::printf("%d of %d sums are right\n", right, n);
    std::free(a);
    std::free(b);
    std::free(sum);
    return 0;
}
