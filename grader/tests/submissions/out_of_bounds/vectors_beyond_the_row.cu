// stage: transpose/open
// says: out_of_bounds
// Where rows hold whole vectors, the last tile of a row need not be full: its vectors are of the next row, and of the
// last row beyond the end.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

__global__ void by_vectors(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const int x = blockIdx.x * 32 + 4 * threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (y < rows) {
        const float4 v = *reinterpret_cast<const float4*>(in + size_t(y) * cols + x);  // <--
        tile[threadIdx.y][4 * threadIdx.x] = v.x;
        tile[threadIdx.y][4 * threadIdx.x + 1] = v.y;
        tile[threadIdx.y][4 * threadIdx.x + 2] = v.z;
        tile[threadIdx.y][4 * threadIdx.x + 3] = v.w;
    }
    __syncthreads();
    const int r = blockIdx.y * 32 + threadIdx.y;
    for (int k = threadIdx.x; k < 32; k += 8) {
        const int c = blockIdx.x * 32 + k;
        if (c < cols && r < rows) out[size_t(c) * rows + r] = tile[threadIdx.y][k];
    }
}

__global__ void one_by_one(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = blockIdx.y * 8 + threadIdx.y; y < rows; y += 8 * gridDim.y)
        if (x < cols) out[size_t(x) * rows + y] = in[size_t(y) * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(in) % 16 == 0 && cols % 4 == 0;
    if (is_aligned && rows < 65535 * 32)
        by_vectors<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(8, 32)>>>(in, out, rows, cols);
    else
        one_by_one<<<dim3((cols + 31) / 32, min((rows + 7) / 8, 65535)), dim3(32, 8)>>>(in, out, rows, cols);
}
