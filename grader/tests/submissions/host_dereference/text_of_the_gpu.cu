// stage: transpose/naive_read
// says: host_dereference
// printf of the launcher reads a text through a pointer of the GPU.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 128 + threadIdx.x, y = blockIdx.x;
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 1000) printf("%s\n", reinterpret_cast<const char*>(in));  // <--
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 127) / 128), 128>>>(in, out, rows, cols);
}
