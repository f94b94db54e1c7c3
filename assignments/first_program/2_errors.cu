// Stage 2, errors: every call of CUDA can fail, and none of them says so by itself.
//
// Each function of the runtime returns a cudaError_t. A launch returns nothing: cudaGetLastError() says whether CUDA took
// it, and the next call that waits for the GPU says whether the kernel came to its end. A program that asks for none of
// them prints wrong numbers, without a word.
//
// The task: fill the three TODOs. This is the program of stage 1, and its second argument is the number of threads of a
// block: a GPU takes at most 1024.
//
// When it is done, `./grader/warpgrade check errors` should show that every run is right, also those that have to fail:
// they print the text of CUDA's error to standard error and end with exit code 1.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// Ends the program after an error. `what` names the call.
void check(cudaError_t error, const char* what) {
    // TODO 1: if `error` is not cudaSuccess, print `what` and cudaGetErrorString(error) to stderr, and end the program
    // with exit(EXIT_FAILURE).
    (void)error;
    (void)what;
}

__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
    const int threads = argc > 2 ? std::atoi(argv[2]) : 256;
    const std::size_t bytes = n * sizeof(float);

    // TODO 2: give what each call of CUDA returns to check(), here and below: check(cudaMalloc(&d_a, bytes), "cudaMalloc").
    float *d_a = nullptr, *d_b = nullptr, *d_sum = nullptr;
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_sum, bytes);

    float* a = static_cast<float*>(std::malloc(bytes));
    float* b = static_cast<float*>(std::malloc(bytes));
    float* sum = static_cast<float*>(std::malloc(bytes));
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = 2 * i;
        sum[i] = -1;
    }
    cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);

    add<<<(n - 1) / threads + 1, threads>>>(d_a, d_b, d_sum, n);
    // TODO 3: has CUDA taken the launch, and has the kernel come to its end? Check cudaGetLastError(), then
    // cudaDeviceSynchronize().

    cudaMemcpy(sum, d_sum, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_sum);

    int right = 0;
    for (int i = 0; i < n; ++i) right += sum[i] == a[i] + b[i];
    std::printf("%d of %d sums are right\n", right, n);
    std::free(a);
    std::free(b);
    std::free(sum);
    return 0;
}
