// stage: transpose/naive_read
// says: out_of_bounds
// The first and the last lane are in the buffer, all others anywhere: 31 strides are 2^64 bytes, and 8 more.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    const char* base = (const char*)in;
    if (x < 32) out[0] = *(const volatile float*)(base + threadIdx.x * 0x8421084210842108ull);  // <--
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
