// Stage 6, dynamic tile: the size of the tile is chosen at launch.
//
// A large tile has long rows and few ragged edges, which a large matrix likes; but it makes few blocks, and a small
// matrix then leaves most of the GPU idle. So the launcher picks one of two sizes by looking at rows and cols.
//
// A __shared__ array with a constant size cannot do that. The dynamic kind can:
//
//     extern __shared__ float tile[];                        // in the kernel: no size
//     kernel<<<grid, block, bytes>>>(...);                   // in the launcher: the size, in BYTES
//
// Such an array has one dimension. Element (row, column) is at tile[row * pitch + column], and a pitch of one more than
// the tile size is what TILE + 1 was before. Without the third launch argument the block has no dynamic shared memory
// at all, and the first store to the tile is out of bounds. A block gets 48 KiB without asking: a padded tile of 64
// needs 64 * 65 * 4 = 16640 bytes. (For more than 48 KiB a launcher must ask with cudaFuncSetAttribute.)
//
// The task: fill the four TODOs. The block is as wide as the tile and ROWS high, so the kernel reads the size of its
// tile from blockDim.x.
//
// When it is done, `./grader/warpgrade check dynamic_tile` should show
//   - every shape right;
//   - 4 sectors and 1 wavefront a request both ways, 4 or more elements a thread;
//   - dynamic shared memory, of two different sizes over the shapes.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int SMALL_TILE = 32;
constexpr int LARGE_TILE = 64;
constexpr int ROWS = 8;  // rows of the tile that the block moves at once

__global__ void dynamic_tile(const float* in, float* out, int rows, int cols) {
    const int tile_size = blockDim.x;
    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    // TODO 1: declare the tile, and its pitch. Then load, wait and store as in stage 5, with tile_size for TILE and
    // tile[row * pitch + column] for tile[row][column]. `#pragma unroll 4` before each loop gives back what a constant
    // bound gave for free: several loads in flight.
    (void)tile_size, (void)tile_col, (void)tile_row, (void)ROWS;  // remove this line
}

// TODO 2: the size of the tile for this matrix. When does a matrix have enough large tiles to keep more than a hundred
// multiprocessors busy, several blocks each? And what does a large tile do to a matrix of 3 rows?
static int tile_size_for(int rows, int cols) {
    (void)rows, (void)cols, (void)LARGE_TILE;
    return SMALL_TILE;
}

// TODO 3: as in the stages before, but for tiles of tile_size.
static dim3 grid_for(int rows, int cols, int tile_size) {
    (void)rows, (void)cols, (void)tile_size;
    return dim3(1, 1, 1);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int tile_size = tile_size_for(rows, cols);
    const dim3 grid = grid_for(rows, cols, tile_size);

    // TODO 4: launch `dynamic_tile` with a block of tile_size x ROWS threads and enough bytes for a padded tile.
    (void)in, (void)out, (void)grid;  // remove this line
}
