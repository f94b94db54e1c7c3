// stage: transpose/naive_read
// says: compiler
// A program of its own, with iostream and main.
#include <iostream>  // <--

#include <cuda_runtime.h>

__global__ void scatter(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    scatter<<<(rows * cols + 255) / 256, 256>>>(in, out, rows, cols);
}

int main() {
    float* data;
    cudaMalloc(&data, 1024);
    transpose(data, data, 16, 16);
    std::cout << "done\n";
}
