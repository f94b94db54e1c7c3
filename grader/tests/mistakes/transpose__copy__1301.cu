// Stage 0, copy: a worked example. Nothing to fill in, nothing to lose: it is not graded.
//
// It copies a matrix of rows x cols floats, row-major: element (y, x) lives at in[y * cols + x]. A copy reads every
// element once and writes every element once, exactly what a transpose must do, so no transpose is faster than the
// best copy. This is the simplest one, and not the best: the handout Transpose has a faster one beside it.
//
// Try the loop of this course here first:
//
//   ./grader/warpgrade check copy      is it right, and how does it move memory?
//   ./grader/warpgrade explain copy    what one warp touches, line by line
//
// You should see 4 sectors a request, for loads and for stores. A warp is 32 threads; 32 neighbouring floats are 128
// bytes; memory moves in sectors of 32 bytes; 128 / 32 = 4. That is the best 4-byte elements can do, and "coalesced"
// means no more than that.
//
// Then break it: make BLOCK_ROWS 32, so that the block is square, exchange threadIdx.x and threadIdx.y below, check
// again, and look at the number. Put it back.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int BLOCK_COLS = 32;  // one warp wide: the 32 threads of a warp walk along one row
constexpr int BLOCK_ROWS = 8;   // 8 warps, 256 threads: enough of them to hide the wait for memory

__global__ void copy_kernel(const float* in, float* out, int rows, int cols) {
    // Neighbouring threads of a warp differ in threadIdx.x. So x must be the index that moves along memory.
    const int x = blockIdx.x * BLOCK_COLS + threadIdx.x;

    // Which band of BLOCK_ROWS rows: see grid_for about blockIdx.z.
    const int band = blockIdx.z * gridDim.y + blockIdx.y;
    const int y = band * BLOCK_ROWS + threadIdx.y;

    // The last block of a row or column reaches past the matrix unless its size is a multiple of the block's.
    if (x < cols && y < rows) {
        // A matrix of 50000 x 50000 has more elements than an int can count, hence std::size_t.
        const std::size_t i = static_cast<std::size_t>(y) * cols + x;
        out[i] = in[i];
    }
}

// Enough blocks to cover the matrix. CUDA allows 2147483647 blocks in x but only 65535 in y and in z, and a matrix of
// 2097121 rows and one column needs more. What y cannot hold is folded into z; the kernel unfolds it into `band`.
static dim3 grid_for(int rows, int cols) {
    const int across = (cols - 1) / BLOCK_COLS + 1;  // division that rounds up, for cols > 0
    const int down = (rows - 1) / BLOCK_ROWS + 1;
    const int folds = (down - 1) / 65535 + 1;
    return dim3((down - 1) / folds + 1, across, folds);
}

// The launcher is what the grader calls. in and out are addresses on the GPU: pass them on, never look behind.
void copy(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;  // nothing to do, and CUDA refuses a grid of no blocks
    const dim3 block(BLOCK_COLS, BLOCK_ROWS);
    copy_kernel<<<grid_for(rows, cols), block>>>(in, out, rows, cols);
}
