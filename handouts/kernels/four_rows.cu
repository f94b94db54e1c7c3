// Four elements a thread in a padded 32 x 32 tile, with the column's guard outside of the loop: a tutorial's last
// version.
// stage: transpose/padding
//
// The loop has a constant length, so the compiler unrolls it: all four loads are on their way before the first is used.
// Set ROLLED to 1 and it may not; `bench` shows what that costs, with the same instructions and the same sectors.
//
//   ./grader/warpgrade bench handouts/kernels/four_rows.cu handouts/kernels/four_rows_rolled.cu --shape 8192x8192

#include <cuda_runtime.h>

#include <cstddef>

#ifndef ROLLED
#define ROLLED 0
#endif

template <int SIDE, int EACH>
__global__ void four_rows(const float* in, float* out, int rows, int cols) {
    __shared__ float block[SIDE][SIDE + 1];
    constexpr int STEP = SIDE / EACH;
    const int across = blockIdx.x, down = blockIdx.z * gridDim.y + blockIdx.y;
    const int in_column = across * SIDE + threadIdx.x, in_row = down * SIDE + threadIdx.y;
    if (in_column < cols) {
#pragma unroll(ROLLED ? 1 : EACH)
        for (int i = 0; i < SIDE; i += STEP)
            if (in_row + i < rows)
                block[threadIdx.y + i][threadIdx.x] = in[static_cast<std::size_t>(in_row + i) * cols + in_column];
    }
    __syncthreads();
    const int out_column = down * SIDE + threadIdx.x, out_row = across * SIDE + threadIdx.y;
    if (out_column < rows) {
#pragma unroll(ROLLED ? 1 : EACH)
        for (int i = 0; i < SIDE; i += STEP)
            if (out_row + i < cols)
                out[static_cast<std::size_t>(out_row + i) * rows + out_column] = block[threadIdx.x][threadIdx.y + i];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int bands = (rows - 1) / 32 + 1;
    const int layers = (bands - 1) / 65535 + 1;
    const dim3 grid((cols - 1) / 32 + 1, (bands - 1) / layers + 1, layers);
    four_rows<32, 4><<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}
