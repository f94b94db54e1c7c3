// stage: transpose/open
// Blocks above the diagonal take two tiles and turn them both; the number of the pair comes from a square root.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int SIDE = 32;

__device__ void turn(float (*tile)[SIDE + 1], const float* in, float* out, int rows, int cols, int across, int down) {
    const int x = across * SIDE + threadIdx.x, y = down * SIDE + threadIdx.y;
    for (int j = 0; j < SIDE; j += 8)
        if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[size_t(y + j) * cols + x];
    __syncthreads();
    const int ox = down * SIDE + threadIdx.x, oy = across * SIDE + threadIdx.y;
    for (int j = 0; j < SIDE; j += 8)
        if (ox < rows && oy + j < cols) out[size_t(oy + j) * rows + ox] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void pairs(const float* in, float* out, int rows, int cols) {
    __shared__ float tiles[2][SIDE][SIDE + 1];
    // Pair p is in row r of the triangle if r * (r + 1) / 2 <= p: the root may be one off either way.
    const long long p = blockIdx.x;
    long long r = static_cast<long long>((sqrt(8.0 * p + 1) - 1) / 2);
    while (r * (r + 1) / 2 > p) --r;
    while ((r + 1) * (r + 2) / 2 <= p) ++r;
    const int a = int(r), b = int(p - r * (r + 1) / 2);
    turn(tiles[0], in, out, rows, cols, a, b);
    if (a != b) turn(tiles[1], in, out, rows, cols, b, a);
}

__global__ void strip(const float* in, float* out, int rows, int cols) {
    const long long n = static_cast<long long>(rows) * cols;
    for (long long i = blockIdx.x * 256ll + threadIdx.x; i < n; i += gridDim.x * 256ll) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const long long side = (max(rows, cols) + SIDE - 1) / SIDE, pairs_of_tiles = side * (side + 1) / 2;
    // Thin matrices have next to nothing beside their diagonal.
    if (max(rows, cols) / 4 > min(rows, cols)) strip<<<240, 256>>>(in, out, rows, cols);
    else pairs<<<unsigned(pairs_of_tiles), dim3(SIDE, 8)>>>(in, out, rows, cols);
}
