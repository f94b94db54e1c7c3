#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 32;
constexpr int ROWS = 8;

template <class Elem>
__global__ void turn(const Elem* src, Elem* dst, int rows, int cols) {
    __shared__ Elem s[TILE][TILE + (sizeof(Elem) < 4 ? 4 / sizeof(Elem) : 1)];
    const int bx = blockIdx.x;
    const int by = blockIdx.z * gridDim.y + blockIdx.y;
    int x = bx * TILE + threadIdx.x;
    int y = by * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        if (x < cols && y + j < rows) s[threadIdx.y + j][threadIdx.x] = (double)src[static_cast<std::size_t>(y + j) * cols + x];
    }
    __syncthreads();
    x = by * TILE + threadIdx.x;
    y = bx * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < rows && y + j < cols)
            dst[static_cast<std::size_t>(y + j) * rows + x] = s[threadIdx.x][threadIdx.y + j];
}

template <class T>
void transpose(const T* in, T* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int gx = (cols - 1) / TILE + 1;
    const int gy = (rows - 1) / TILE + 1;
    const int gz = (gy - 1) / 65535 + 1;
    const dim3 grid(gx, (gy - 1) / gz + 1, gz);
    turn<T><<<grid, dim3(TILE, ROWS)>>>(in, out, rows, cols);
}
