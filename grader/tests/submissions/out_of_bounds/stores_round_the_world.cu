// stage: transpose/naive_read
// says: out_of_bounds
// As stride_round_the_world, with stores.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    char* base = (char*)out;
    *(volatile float*)(base + threadIdx.x * 0x7bdef7bdef7bdef8ull) = 0.0f;  // <--
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
