// Stage 7, open: where rows begin at multiples of 16 bytes, a warp walks down a strip of 128 columns with 16-byte loads
// and no shared memory; lanes hand each other the neighbours in a row. Any other matrix goes through the tile of
// stage 6.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WARP = 32;
constexpr int QUAD = 4;  // floats in a float4
constexpr int RADIUS = 2;
constexpr int SIDE = 2 * RADIUS + 1;  // of the square of weights
constexpr unsigned ALL_LANES = 0xffffffff;

constexpr int STRIP_WARPS = 4;           // of a block
constexpr int STRIP_ROWS = 16;           // that a thread computes, one below the other
constexpr int STRIP_COLS = WARP * QUAD;  // of a warp
constexpr int SPAN = QUAD + 2 * RADIUS;  // of a row, for a thread's four elements

constexpr int TILE_WARPS = 4;
constexpr int TILE_HEIGHT = 8;  // rows that a thread computes
constexpr int TILE_HIGH = TILE_WARPS * TILE_HEIGHT;
constexpr int TILE_COLS = WARP + 2 * RADIUS;
constexpr int TILE_ROWS = TILE_HIGH + 2 * RADIUS;

// What a lane reads of a row: its four elements, and the two outside of the strip where it is the first or the last
// lane.
struct Loaded {
    float4 own;
    float2 outside;
};

__device__ static Loaded load_row(const float* in, int rows, int cols, int y, int x) {
    Loaded loaded{make_float4(0.0f, 0.0f, 0.0f, 0.0f), make_float2(0.0f, 0.0f)};
    if (y < 0 || y >= rows) return loaded;
    const float* const line = in + static_cast<std::size_t>(y) * cols;
    if (x < cols) loaded.own = *reinterpret_cast<const float4*>(line + x);
    const int lane = threadIdx.x;
    const int beside = lane == 0 ? x - RADIUS : x + QUAD;
    if ((lane == 0 || lane == WARP - 1) && beside >= 0 && beside < cols)
        loaded.outside = *reinterpret_cast<const float2*>(line + beside);
    return loaded;
}

// The lane's four elements and the two on both sides of them. All lanes have to call it together.
__device__ static void share_row(const Loaded& loaded, float (&row)[SPAN]) {
    const float4 own = loaded.own;
    row[0] = __shfl_up_sync(ALL_LANES, own.z, 1);
    row[1] = __shfl_up_sync(ALL_LANES, own.w, 1);
    row[2] = own.x;
    row[3] = own.y;
    row[4] = own.z;
    row[5] = own.w;
    row[6] = __shfl_down_sync(ALL_LANES, own.x, 1);
    row[7] = __shfl_down_sync(ALL_LANES, own.y, 1);
    if (threadIdx.x == 0) row[0] = loaded.outside.x, row[1] = loaded.outside.y;
    if (threadIdx.x == WARP - 1) row[6] = loaded.outside.x, row[7] = loaded.outside.y;
}

__global__ void __launch_bounds__(WARP* STRIP_WARPS)
    strips(const float* in, const float* weights, float* out, int rows, int cols) {
    const int block = blockIdx.x;
    const int across = (cols - 1) / STRIP_COLS + 1;
    const int x = block % across * STRIP_COLS + threadIdx.x * QUAD;
    const int top = (block / across * STRIP_WARPS + threadIdx.y) * STRIP_ROWS;
    if (top >= rows) return;  // the whole warp

    float weight[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; ++i) weight[i] = weights[i];

    // Five rows of sums are under way at a time: the loops are unrolled, and the others are in no register.
    float sum[STRIP_ROWS][QUAD] = {};
    Loaded next = load_row(in, rows, cols, top - RADIUS, x);
#pragma unroll
    for (int r = 0; r < STRIP_ROWS + 2 * RADIUS; ++r) {
        float row[SPAN];
        const Loaded loaded = next;
        next = load_row(in, rows, cols, top + r + 1 - RADIUS, x);  // on its way while this row is worked on
        share_row(loaded, row);
#pragma unroll
        for (int k = 0; k < STRIP_ROWS; ++k) {
            if (r - k < 0 || r - k >= SIDE) continue;
            for (int c = 0; c < SIDE; ++c)
                for (int q = 0; q < QUAD; ++q) sum[k][q] += weight[(r - k) * SIDE + c] * row[q + c];
        }
        const int done = r - 2 * RADIUS;  // nothing below adds to this row
        if (done >= 0 && top + done < rows && x < cols)
            *reinterpret_cast<float4*>(out + static_cast<std::size_t>(top + done) * cols + x) =
                make_float4(sum[done][0], sum[done][1], sum[done][2], sum[done][3]);
    }
}

// The element of the matrix at row y, column x; 0 outside of it.
__device__ static float at(const float* in, int rows, int cols, int y, int x) {
    if (y < 0 || y >= rows || x < 0 || x >= cols) return 0.0f;
    return in[static_cast<std::size_t>(y) * cols + x];
}

__global__ void __launch_bounds__(WARP* TILE_WARPS)
    tiles(const float* in, const float* weights, float* out, int rows, int cols) {
    __shared__ float tile[TILE_ROWS][TILE_COLS];

    const int block = blockIdx.x;
    const int across = (cols - 1) / WARP + 1;
    const int left = block % across * WARP;
    const int top = block / across * TILE_HIGH;

#pragma unroll 6
    for (int i = threadIdx.y * WARP + threadIdx.x; i < TILE_ROWS * TILE_COLS; i += WARP * TILE_WARPS) {
        const int r = i / TILE_COLS;
        const int c = i % TILE_COLS;
        tile[r][c] = at(in, rows, cols, top + r - RADIUS, left + c - RADIUS);
    }
    float weight[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; ++i) weight[i] = weights[i];

    __syncthreads();

    const int x = left + threadIdx.x;
    const int first = threadIdx.y * TILE_HEIGHT;
    float sum[TILE_HEIGHT] = {};
#pragma unroll
    for (int r = 0; r < TILE_HEIGHT + 2 * RADIUS; ++r) {
        float row[SIDE];
        for (int c = 0; c < SIDE; ++c) row[c] = tile[first + r][threadIdx.x + c];
#pragma unroll
        for (int k = 0; k < TILE_HEIGHT; ++k) {
            if (r - k < 0 || r - k >= SIDE) continue;
            for (int c = 0; c < SIDE; ++c) sum[k] += weight[(r - k) * SIDE + c] * row[c];
        }
    }
#pragma unroll
    for (int k = 0; k < TILE_HEIGHT; ++k) {
        const int y = top + first + k;
        if (x < cols && y < rows) out[static_cast<std::size_t>(y) * cols + x] = sum[k];
    }
}

static bool is_aligned(const void* address) { return reinterpret_cast<std::size_t>(address) % sizeof(float4) == 0; }

// Blocks of tiles of this size that cover the matrix.
static int blocks_for(int rows, int cols, int high, int wide) {
    return ((cols - 1) / wide + 1) * ((rows - 1) / high + 1);
}

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    if (cols % QUAD == 0 && cols >= STRIP_COLS && is_aligned(in) && is_aligned(out)) {
        const int blocks = blocks_for(rows, cols, STRIP_WARPS * STRIP_ROWS, STRIP_COLS);
        strips<<<blocks, dim3(WARP, STRIP_WARPS)>>>(in, weights, out, rows, cols);
    } else {
        const int blocks = blocks_for(rows, cols, TILE_HIGH, WARP);
        tiles<<<blocks, dim3(WARP, TILE_WARPS)>>>(in, weights, out, rows, cols);
    }
}
