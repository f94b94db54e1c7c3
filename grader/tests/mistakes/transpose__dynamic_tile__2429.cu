// Stage 6, dynamic tile: the size of the tile is chosen at launch, the tile lives in dynamic shared memory.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int SMALL_TILE = 32;
constexpr int LARGE_TILE = 64;
constexpr int ROWS = 8;             // rows of the tile that the block moves at once
constexpr int ENOUGH_TILES = 1024;  // several blocks for each of a hundred multiprocessors and more

__global__ void dynamic_tile(const float* in, float* out, int rows, int cols) {
    extern __shared__ float tile[];
    const int tile_size = SMALL_TILE;
    const int pitch = tile_size + 1;  // odd, so that columns are free of bank conflicts for both sizes

    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    int x = tile_col * tile_size + threadIdx.x;
    int y = tile_row * tile_size + threadIdx.y;
    // The bound is not a constant here, so the compiler is told how far to unroll: four loads in flight.
#pragma unroll 4
    for (int j = 0; j < tile_size; j += ROWS) {
        if (x < cols && y + j < rows) {
            tile[(threadIdx.y + j) * pitch + threadIdx.x] = in[static_cast<std::size_t>(y + j) * cols + x];
        }
    }

    __syncthreads();

    x = tile_row * tile_size + threadIdx.x;
    y = tile_col * tile_size + threadIdx.y;
#pragma unroll 4
    for (int j = 0; j < tile_size; j += ROWS) {
        if (x < rows && y + j < cols) {
            out[static_cast<std::size_t>(y + j) * rows + x] = tile[threadIdx.x * pitch + threadIdx.y + j];
        }
    }
}

static int tiles_along(int length, int tile_size) { return (length - 1) / tile_size + 1; }

// Large tiles have fewer ragged edges. They are worth it if there are enough of them, and if the matrix is not so thin
// that half of each would be empty.
static int tile_size_for(int rows, int cols) {
    const bool is_thin = rows <= SMALL_TILE || cols <= SMALL_TILE;
    const std::size_t tiles = static_cast<std::size_t>(tiles_along(rows, LARGE_TILE)) * tiles_along(cols, LARGE_TILE);
    return !is_thin && tiles >= ENOUGH_TILES ? LARGE_TILE : SMALL_TILE;
}

// Only x may have more than 65535 blocks: rows of tiles that do not fit in y fold into z.
static dim3 grid_for(int rows, int cols, int tile_size) {
    const int down = tiles_along(rows, tile_size);
    const int folds = (down - 1) / 65535 + 1;
    return dim3(tiles_along(cols, tile_size), (down - 1) / folds + 1, folds);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int tile_size = tile_size_for(rows, cols);
    const dim3 block(tile_size, ROWS);
    // Both sizes are below the 48 KiB that a block gets without asking.
    const std::size_t bytes = sizeof(float) * tile_size * (tile_size + 1);
    dynamic_tile<<<grid_for(rows, cols, tile_size), block, bytes>>>(in, out, rows, cols);
}
