// stage: transpose/open
// The launcher copies the input to memory of its own, which it asks for and gives back; other memory it never uses.
#include <cuda_runtime.h>

__global__ void turn(const float* from, float* out, int rows, int cols) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x, n = static_cast<std::size_t>(rows) * cols;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) out[i] = from[i % rows * cols + i / rows];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const std::size_t bytes = sizeof(float) * rows * cols;
    float *copy = nullptr, *unused = nullptr;
    if (bytes == 0 || cudaMalloc(&unused, 16) != cudaSuccess) return;
    cudaMalloc(reinterpret_cast<void**>(&copy), bytes);
    cudaFree(unused);
    cudaFree(nullptr);
    cudaMemcpy(copy, in, bytes, cudaMemcpyDeviceToDevice);
    turn<<<512, 256>>>(copy, out, rows, cols);
    cudaFree(copy);
}
