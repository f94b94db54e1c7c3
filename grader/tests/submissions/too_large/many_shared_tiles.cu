// stage: transpose/naive_read
// says: too_large
// Each fits, all together do not.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    __shared__ float a[120][120], b[120][120], c[120][120], d[120][120], e[120][120];
    for (int i = threadIdx.x; i < 120; i += 32) a[i][y % 120] = b[i][0] = c[i][0] = d[i][0] = e[i][0] = x;
    __syncthreads();
    if (a[0][0] + b[0][0] + c[0][0] + d[0][0] + e[0][0] == -1.0f) return;
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
