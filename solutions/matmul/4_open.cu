// Stage 4, open: 8 x 8 elements of c for each thread where there are enough of them, four words a load from shared
// memory, and the next tiles on their way while the present ones are multiplied.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int SIDE = 16;  // threads of a block, along a row and down a column of c
constexpr int THREADS = SIDE * SIDE;

// Four neighbours of row y, from column x on; 0 outside of the matrix. With VECTOR columns come in whole fours.
template <bool VECTOR>
__device__ static float4 four_at(const float* m, int rows, int cols, int y, int x) {
    if (y >= rows || x >= cols) return make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    const float* from = m + static_cast<std::size_t>(y) * cols + x;
    if (VECTOR) return *reinterpret_cast<const float4*>(from);
    return make_float4(from[0], x + 1 < cols ? from[1] : 0.0f, x + 2 < cols ? from[2] : 0.0f,
                       x + 3 < cols ? from[3] : 0.0f);
}

// EACH is 4 or 8: a thread has four rows and columns of c, or twice four that are half a tile apart.
template <int EACH, bool VECTOR>
__global__ void __launch_bounds__(THREADS)
    product(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    constexpr int TILE = SIDE * EACH;
    constexpr int STEP = 4 * THREADS / TILE;  // along depth: each thread loads four words of a and of b
    constexpr int QUADS = TILE / 4;
    constexpr int PITCH = QUADS + 1;  // of the turned tile: words that are stored in a column lie in other banks
    __shared__ float4 a_tile[2][STEP][PITCH];  // a row of it is a column of a
    __shared__ float4 b_tile[2][STEP][QUADS];

    const int block = blockIdx.x;
    const int across = (cols - 1) / TILE + 1;
    const int left = block % across * TILE;
    const int top = block / across * TILE;
    const int tid = threadIdx.x;
    // A warp has 4 rows of 8 threads. Lanes 0 and 1 want the same word of b, lanes 0 and 2 the same of a: then a load
    // of 16 bytes a lane takes two wavefronts, not four.
    const int x_in_tile = tid / 32 % 2 * 8 + tid / 2 % 8;
    const int y_in_tile = tid / 64 * 4 + tid / 16 % 2 * 2 + tid % 2;
    // Two threads for a row of a, one sector: then the 32 words that a warp stores are in 32 banks.
    const int a_row = tid / 2 % TILE, a_col = tid % 2 * 4 + tid / (2 * TILE) * 8;
    const int b_row = tid / QUADS, b_quad = tid % QUADS;

    float sum[EACH][EACH] = {};
    float4 a_next, b_next;
    int which = 0;
    // The tiles at `next` are on their way to registers while those before are multiplied.
    for (int next = 0; next < depth + STEP; next += STEP) {
        if (next < depth) {
            a_next = four_at<VECTOR>(a, rows, depth, top + a_row, next + a_col);
            b_next = four_at<VECTOR>(b, depth, cols, next + b_row, left + 4 * b_quad);
        }
        if (next > 0) {
#pragma unroll
            for (int p = 0; p < STEP; ++p) {
                float a_part[EACH], b_part[EACH];
#pragma unroll
                for (int i = 0; i < EACH; i += 4) {
                    const float4 u = a_tile[which ^ 1][p][y_in_tile + i / 4 * SIDE];
                    const float4 v = b_tile[which ^ 1][p][x_in_tile + i / 4 * SIDE];
                    a_part[i] = u.x, a_part[i + 1] = u.y, a_part[i + 2] = u.z, a_part[i + 3] = u.w;
                    b_part[i] = v.x, b_part[i + 1] = v.y, b_part[i + 2] = v.z, b_part[i + 3] = v.w;
                }
#pragma unroll
                for (int i = 0; i < EACH; ++i)
#pragma unroll
                    for (int j = 0; j < EACH; ++j) sum[i][j] += a_part[i] * b_part[j];
            }
        }
        if (next < depth) {
            float* const column = reinterpret_cast<float*>(a_tile[which][a_col]) + a_row;
            column[0] = a_next.x;
            column[4 * PITCH] = a_next.y;
            column[8 * PITCH] = a_next.z;
            column[12 * PITCH] = a_next.w;
            b_tile[which][b_row][b_quad] = b_next;
        }
        which ^= 1;
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < EACH; ++i) {
        const int y = top + i / 4 * 4 * SIDE + y_in_tile * 4 + i % 4;
        if (y >= rows) continue;
        float* row = c + static_cast<std::size_t>(y) * cols;
#pragma unroll
        for (int j = 0; j < EACH; j += 4) {
            const int x = left + j * SIDE + x_in_tile * 4;
            const float four[] = {sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]};
            if (VECTOR && x < cols)
                *reinterpret_cast<float4*>(row + x) = make_float4(four[0], four[1], four[2], four[3]);
#pragma unroll
            for (int k = 0; k < 4; ++k)
                if (!VECTOR && x + k < cols) row[x + k] = four[k];
        }
    }
}

static bool has_vectors(const void* p) { return reinterpret_cast<std::size_t>(p) % sizeof(float4) == 0; }

static int tiles_for(int rows, int cols, int tile) { return ((cols - 1) / tile + 1) * ((rows - 1) / tile + 1); }

template <int EACH>
static void launch(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    const int tiles = tiles_for(rows, cols, SIDE * EACH);
    if (cols % 4 == 0 && depth % 4 == 0 && has_vectors(a) && has_vectors(b) && has_vectors(c))
        product<EACH, true><<<tiles, THREADS>>>(a, b, c, rows, cols, depth);
    else
        product<EACH, false><<<tiles, THREADS>>>(a, b, c, rows, cols, depth);
}

// Large tiles load less; of few of them some multiprocessors have none.
void matmul(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    constexpr int ENOUGH = 160;
    if (rows == 0 || cols == 0) return;
    if (tiles_for(rows, cols, SIDE * 8) >= ENOUGH)
        launch<8>(a, b, c, rows, cols, depth);
    else
        launch<4>(a, b, c, rows, cols, depth);
}
