// stage: transpose/open
// says: compiler
// A static local keeps what the first call made of its matrix; so it is not taken for one that each call sets.
#include <cuda_runtime.h>

__global__ void move(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = (blockIdx.z * gridDim.y + blockIdx.y) * 8 + threadIdx.y;
    if (x < cols && y < rows) out[static_cast<size_t>(x) * rows + y] = in[static_cast<size_t>(y) * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    static const int down = (rows + 7) / 8;  // <--
    const int folds = (down + 65534) / 65535;
    move<<<dim3((cols + 31) / 32, (down + folds - 1) / folds, folds), dim3(32, 8)>>>(in, out, rows, cols);
}
