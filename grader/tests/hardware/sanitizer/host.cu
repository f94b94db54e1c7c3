// A host program around one submission, so that tools for CUDA programs can look at it: exact allocations, a few odd
// shapes, the outputs compared. Compile with -include SUBMISSION and -DREDUCTION or -DTRANSPOSE.
// Exit codes: 0 right on every shape, 1 a wrong output, 2 a CUDA error.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

static void need(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
    std::exit(2);
}

template <typename T>
static T* filled(const std::vector<T>& values) {
    T* buffer = nullptr;
    need(cudaMalloc(&buffer, values.size() * sizeof(T)), "cudaMalloc");
    need(cudaMemcpy(buffer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    return buffer;
}

static void finish() {
    need(cudaGetLastError(), "launch");
    need(cudaDeviceSynchronize(), "run");
}

#ifdef TRANSPOSE
static bool is_right(int rows, int cols) {
    const std::size_t count = static_cast<std::size_t>(rows) * cols;
    std::vector<float> values(count), result(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i + 1);
    float* in = filled(values);
    float* out = nullptr;
    need(cudaMalloc(&out, count * sizeof(float)), "cudaMalloc");
#ifdef COPY
    copy(static_cast<const float*>(in), out, rows, cols);
#else
    transpose(static_cast<const float*>(in), out, rows, cols);
#endif
    finish();
    need(cudaMemcpy(result.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    bool right = true;
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col) {
            const float value = values[static_cast<std::size_t>(row) * cols + col];
#ifdef COPY
            right &= result[static_cast<std::size_t>(row) * cols + col] == value;
#else
            right &= result[static_cast<std::size_t>(col) * rows + row] == value;
#endif
        }
    cudaFree(in);
    cudaFree(out);
    return right;
}

int main() {
    for (const auto& shape : {std::pair(64, 96), std::pair(33, 65), std::pair(70, 31), std::pair(1, 257)})
        if (!is_right(shape.first, shape.second)) return 1;
    return 0;
}
#else
static bool is_right(std::size_t n) {
    std::vector<float> values(n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += values[i] = static_cast<float>(i % 7);
    float* in = filled(values);
    float *scratch = nullptr, *out = nullptr, result = NAN;
    need(cudaMalloc(&scratch, (n / 32 + 4096) * sizeof(float)), "cudaMalloc");
    need(cudaMalloc(&out, sizeof(float)), "cudaMalloc");
    reduce(in, n, scratch, out);
    finish();
    need(cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    cudaFree(in);
    cudaFree(scratch);
    cudaFree(out);
    return result == static_cast<float>(sum);  // below 2^24, so every order of additions is exact
}

int main() {
    for (const std::size_t n : {1000u, 4096u, 12345u, 70001u})
        if (!is_right(n)) return 1;
    return 0;
}
#endif
