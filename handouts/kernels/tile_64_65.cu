// A 64 x 65 static tile, 64 x 8 threads, eight rows a thread, turned on the way in: the kernel of a course report.
// stage: transpose/padding
//
// The report's version is for square matrices; here every element has its guard. A tile that is 64 floats wide needs
// its padding as one of 32 does: without it the words of a column are 64 apart, all in one bank, and a warp's 32 of
// them take 32 wavefronts.
//
//   ./grader/warpgrade bench handouts/kernels/tile_64_65.cu --shape 16384x16384

#include <cuda_runtime.h>

#include <cstddef>

constexpr int SIDE = 64;
constexpr int HEIGHT = 8;

__global__ void tile_64_65(const float* in, float* out, int rows, int cols) {
    __shared__ float turned[SIDE][SIDE + 1];
    const int across = blockIdx.x, down = blockIdx.z * gridDim.y + blockIdx.y;
    const int in_column = across * SIDE + threadIdx.x;
    for (int line = threadIdx.y; line < SIDE; line += HEIGHT) {
        const int in_row = down * SIDE + line;
        if (in_column < cols && in_row < rows)
            turned[threadIdx.x][line] = in[static_cast<std::size_t>(in_row) * cols + in_column];
    }
    __syncthreads();
    const int out_column = down * SIDE + threadIdx.x;
    for (int line = threadIdx.y; line < SIDE; line += HEIGHT) {
        const int out_row = across * SIDE + line;
        if (out_column < rows && out_row < cols)
            out[static_cast<std::size_t>(out_row) * rows + out_column] = turned[line][threadIdx.x];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int bands = (rows - 1) / SIDE + 1;
    const int layers = (bands - 1) / 65535 + 1;
    const dim3 grid((cols - 1) / SIDE + 1, (bands - 1) / layers + 1, layers);
    tile_64_65<<<grid, dim3(SIDE, HEIGHT)>>>(in, out, rows, cols);
}
