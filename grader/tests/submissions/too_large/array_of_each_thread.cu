// stage: transpose/naive_read
// says: too_large
// 3 GB for each thread.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    char all[3000000000];
    for (long long i = x; i < 3000000000; i += 1000000) all[i] = char(y);
    if (all[x] == 77 && all[2999999999 - y] == 3) return;
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
