// Stage 1, naive read: one thread moves one element; the reads are coalesced, the writes are not.
//
// in is rows x cols, out is cols x rows, both row-major:  out(x, y) = in(y, x).
//
// The task: fill the two TODOs. Give neighbouring threads neighbouring elements of the *input*.
//
// When it is done, `./grader/warpgrade check naive_read` should show
//   - every shape right, also 33 x 31, 2097121 x 1 and the empty ones;
//   - loads: 4 sectors a request. The 32 threads of a warp read 128 bytes in a row;
//   - stores: many more. How many, and why? Work it out before you look: memory moves no less than a 32-byte sector.
//
// One of the two sides has to suffer in a transpose, until stage 3.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 32;  // a block is TILE x TILE threads and covers TILE x TILE elements of the input

__global__ void naive_read(const float* in, float* out, int rows, int cols) {
    // Which tile of the input this block covers. (grid_for below explains blockIdx.z.)
    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    // TODO 1: this thread's column x and row y in the input. threadIdx.x is what changes from one thread of a warp to
    // the next. Which of x and y must it belong to, so that in[y * cols + x] moves along memory?
    const int x = tile_col + threadIdx.x;
    const int y = tile_row + threadIdx.y;

    // TODO 2: copy in(y, x) to out(x, y), if x and y are inside the matrix. The rows of out are `rows` long, not
    // `cols`. Compute both indices in 64 bits, with static_cast<std::size_t>(...) in front of the product.
    if (x < cols && y < rows) out[static_cast<std::size_t>(x) * rows + y] = in[static_cast<std::size_t>(y) * cols + x];
}

// Given: enough tiles to cover the matrix. A grid may have 2147483647 blocks in x but only 65535 in y and in z, so the
// rows of tiles that do not fit in y are folded into z; the kernel unfolds them into tile_row.
static dim3 grid_for(int rows, int cols) {
    const int across = (cols - 1) / TILE + 1;  // division that rounds up, for cols > 0
    const int down = (rows - 1) / TILE + 1;
    const int folds = (down - 1) / 65535 + 1;
    return dim3(across, (down - 1) / folds + 1, folds);
}

// Given: the launcher, which the grader calls with addresses of GPU memory.
void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;  // CUDA refuses a grid of no blocks
    const dim3 block(TILE, TILE);
    naive_read<<<grid_for(rows, cols), block>>>(in, out, rows, cols);
}
