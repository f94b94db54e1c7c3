// Stage 8, open: five kernels, and a launcher that picks one by shape and alignment. ../NOTES.md has the measurements
// behind each choice.
//
//   quads      every row of both matrices starts at a sector: float4 on every side, 4 x 4 blocks turned in registers
//   windows    rows start anywhere: float4s all the same, from where the rows of the input really begin to where the
//              sectors of the output do
//   few_rows   at most 80 rows: a slab of columns is one contiguous piece of the output
//   few_cols   the mirror image: a slab of rows is one contiguous piece of the input
//   line       one row or one column, which only has to be copied
//
// All walk down the matrix first: the blocks that run at the same time then write long runs of the same output rows,
// and the L2 cache hands whole DRAM pages back. On an H200 that alone was 94 -> 97 % of a copy.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WARP = 32;
constexpr int QUAD = 4;    // floats in a float4
constexpr int SECTOR = 8;  // floats in 32 bytes, the piece in which L2 and DRAM move data
constexpr int LINE = 32;   // floats in 128 bytes, a line of the caches

// How many floats past a multiple of `unit` floats this address is.
__host__ __device__ static int floats_past(const float* pointer, int unit) {
    return static_cast<int>(reinterpret_cast<std::size_t>(pointer) / sizeof(float) % unit);
}

// ---- what the kernels share -----------------------------------------------------------------------------------------

// Which tile this block moves. Blocks go down `band` columns of tiles side by side, then down the next ones.
struct Tile {
    int row, col;
};

__device__ static Tile tile_of_block(int down, int across, int band) {
    const int of_band = down * band;
    const int first_col = static_cast<int>(blockIdx.x) / of_band * band;
    const int wide = across - first_col < band ? across - first_col : band;
    const int in_band = static_cast<int>(blockIdx.x) % of_band;
    return {in_band / wide, first_col + in_band % wide};
}

// Two tiles side by side share a line of each row, unless rows are whole lines. It should still be in L2 when the
// second tile comes. Where a whole column of tiles is more than fits there, eight columns go down together.
static int band_for(int rows, int cols) { return rows > 32768 && cols % LINE != 0 ? 8 : 1; }

// Loads a float4, and has L2 fetch the whole line of 128 bytes around it. Where rows start anywhere, the ends of what
// one block reads share a line with what another reads: so DRAM delivers the line once and in one piece. (Only a hint:
// the value is that of *p.)
__device__ static float4 load_with_line(const float* p) {
    float4 v;
    asm("ld.global.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
}

// The float4 at elements i to i + 3 of `base`, those of them that are in [begin, end); the others are 0.
__device__ static float4 load_inside(const float* base, long long i, long long begin, long long end) {
    if (i >= begin && i + QUAD <= end) return load_with_line(base + i);
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (i >= begin && i < end) v.x = base[i];
    if (i + 1 >= begin && i + 1 < end) v.y = base[i + 1];
    if (i + 2 >= begin && i + 2 < end) v.z = base[i + 2];
    if (i + 3 >= begin && i + 3 < end) v.w = base[i + 3];
    return v;
}

// ---- quads ----------------------------------------------------------------------------------------------------------

// Shared memory serves 16-byte accesses 8 lanes at a time, and 8 float4s fill its banks once. Rows of the tile are a
// multiple of that long, so a column would sit in one place. XOR with the row's block moves it through all 8, and
// unlike padding keeps every row aligned to 16 bytes.
__device__ static int swizzled(int row, int quad) { return quad ^ (row / QUAD % 8); }

// A tile of ROWS x COLS floats of the input. Each thread turns one 4 x 4 block: 16 elements, 4 loads in flight.
template <int ROWS, int COLS>
__global__ void __launch_bounds__(ROWS* COLS / 16)
    quads(const float* in, float* out, int rows, int cols, int down, int band) {
    constexpr int ACROSS = COLS / QUAD;  // blocks of 4 x 4 in a row of the tile
    constexpr int DOWN = ROWS / QUAD;    // and in a column
    __shared__ float4 turned[COLS][DOWN];

    const Tile tile = tile_of_block(down, (cols - 1) / COLS + 1, band);

    const int block_col = threadIdx.x % ACROSS;
    const int block_row = threadIdx.x / ACROSS;
    const int in_x = tile.col * COLS + block_col * QUAD;
    const int in_y = tile.row * ROWS + block_row * QUAD;
    if (in_x < cols && in_y < rows) {  // both are multiples of 4: if the block's first row is inside, so is all of it
        const std::size_t pitch = cols;
        const float* const corner = in + in_y * pitch + in_x;
        const float4 a = load_with_line(corner);
        const float4 b = load_with_line(corner + pitch);
        const float4 c = load_with_line(corner + 2 * pitch);
        const float4 d = load_with_line(corner + 3 * pitch);
        const int row = block_col * QUAD;
        const int place = swizzled(row, block_row);
        turned[row + 0][place] = make_float4(a.x, b.x, c.x, d.x);
        turned[row + 1][place] = make_float4(a.y, b.y, c.y, d.y);
        turned[row + 2][place] = make_float4(a.z, b.z, c.z, d.z);
        turned[row + 3][place] = make_float4(a.w, b.w, c.w, d.w);
    }

    __syncthreads();

    const int quad = threadIdx.x % DOWN;
    const int out_x = tile.row * ROWS + quad * QUAD;
    for (int row = threadIdx.x / DOWN; row < COLS; row += ACROSS) {
        const int out_y = tile.col * COLS + row;
        if (out_x < rows && out_y < cols) {
            float* const to = out + static_cast<std::size_t>(out_y) * rows + out_x;
            *reinterpret_cast<float4*>(to) = turned[row][swizzled(row, quad)];
        }
    }
}

template <int ROWS, int COLS>
static void launch_quads(const float* in, float* out, int rows, int cols) {
    const int down = (rows - 1) / ROWS + 1;
    const int across = (cols - 1) / COLS + 1;
    quads<ROWS, COLS><<<down * across, ROWS * COLS / 16>>>(in, out, rows, cols, down, band_for(rows, cols));
}

// ---- windows --------------------------------------------------------------------------------------------------------

// A sector that two blocks write in part costs more than one that a single block writes whole. So the piece of an
// output row that a block writes, its window, does not start where the tile does but at the last sector before that,
// which is up to 7 elements earlier and different in each row. The block therefore loads 7 rows more than its window is
// long.
constexpr int LEAD = SECTOR - 1;
constexpr int SPAN = WARP * QUAD;        // floats of a row that a warp loads, from the last multiple of 16 bytes on
constexpr int TILE_COLS = SPAN - QUAD;   // columns of the tile: inside the span wherever the row starts
constexpr int TILE_PITCH = SPAN + QUAD;  // a column's neighbours in 8 rows are in 8 different groups of 4 banks
constexpr int QUADS_AT_ONCE = 8;         // a warp stores 8 float4s, 128 bytes, to each of 4 output rows
// (Its lanes read every fourth row, which leaves conflicts: 4 wavefronts a load. A swizzle that halves them costs more
// instructions than the wavefronts it saves.)

constexpr int window_bytes(int window) { return (window + LEAD) * TILE_PITCH * static_cast<int>(sizeof(float)); }

template <int WINDOW, int WARPS>
__global__ void __launch_bounds__(WARPS* WARP)
    windows(const float* in, float* out, int rows, int cols, int down, int band) {
    extern __shared__ float4 spans[];  // [WINDOW + LEAD][TILE_PITCH / QUAD]
    const float* const elements = reinterpret_cast<const float*>(spans);
    const int warp = threadIdx.x / WARP;
    const int lane = threadIdx.x % WARP;

    const Tile tile = tile_of_block(down, (cols - 1) / TILE_COLS + 1, band);
    const int first_row = tile.row * WINDOW - LEAD;  // of the rows that are loaded; those before row 0 are skipped
    const int first_col = tile.col * TILE_COLS;
    const int width = cols - first_col < TILE_COLS ? cols - first_col : TILE_COLS;

    // How far the tile's first column is from the start of the span, in row y.
    const unsigned in_shift = floats_past(in, QUAD) + first_col;
    const auto shift_in_row = [=](unsigned y) { return (y * cols + in_shift) % QUAD; };

    // All loads of a thread are under way before the first is stored to shared memory.
    constexpr int PASSES = (WINDOW + LEAD - 1) / WARPS + 1;
    const long long size = static_cast<long long>(rows) * cols;
    float4 loaded[PASSES];
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        const int row = warp + pass * WARPS;
        const int y = first_row + row;
        const int shift = shift_in_row(y);
        loaded[pass] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (row < WINDOW + LEAD && y >= 0 && y < rows && lane * QUAD < shift + width) {
            const long long i = static_cast<long long>(y) * cols + first_col - shift + lane * QUAD;
            loaded[pass] = load_inside(in, i, 0, size);
        }
    }
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        const int row = warp + pass * WARPS;
        if (row < WINDOW + LEAD) spans[row * (TILE_PITCH / QUAD) + lane] = loaded[pass];
    }

    __syncthreads();

    constexpr int COLS_AT_ONCE = WARP / QUADS_AT_ONCE;
    constexpr int STEPS = WINDOW / QUAD / QUADS_AT_ONCE;  // along a window
    const unsigned out_shift = floats_past(out, SECTOR);
#pragma unroll 4
    for (int i = warp; i < TILE_COLS / COLS_AT_ONCE * STEPS; i += WARPS) {
        const int col = i / STEPS * COLS_AT_ONCE + lane / QUADS_AT_ONCE;
        if (col >= width) continue;
        const int quad = i % STEPS * QUADS_AT_ONCE + lane % QUADS_AT_ONCE;
        const int out_y = first_col + col;
        const int early = (static_cast<unsigned>(out_y) * rows + out_shift) % SECTOR;
        const int y = tile.row * WINDOW - early + quad * QUAD;  // row of the input and place in the output row

        float* const to = out + static_cast<std::size_t>(out_y) * rows + y;
        const float* const from = elements + (y - first_row) * TILE_PITCH + col;
        const auto element = [=](int j) { return from[j * TILE_PITCH + shift_in_row(y + j)]; };
        if (y >= 0 && y + QUAD <= rows) {
            *reinterpret_cast<float4*>(to) = make_float4(element(0), element(1), element(2), element(3));
        } else {
            for (int j = 0; j < QUAD; ++j) {
                if (y + j >= 0 && y + j < rows) to[j] = element(j);
            }
        }
    }
}

template <int WINDOW, int WARPS>
static void launch_windows(const float* in, float* out, int rows, int cols) {
    const int down = (rows + LEAD - 1) / WINDOW + 1;
    const int across = (cols - 1) / TILE_COLS + 1;
    const int bytes = window_bytes(WINDOW);
    cudaFuncSetAttribute(windows<WINDOW, WARPS>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    windows<WINDOW, WARPS><<<down * across, WARPS * WARP, bytes>>>(in, out, rows, cols, down, band_for(rows, cols));
}

// ---- slabs ----------------------------------------------------------------------------------------------------------

constexpr int NARROW = 80;
constexpr int SLAB_THREADS = 512;
constexpr int SLAB_WARPS = SLAB_THREADS / WARP;

// A slab lies in shared memory as one piece, as it does in the matrix where it is contiguous. Elements that are
// `narrow` apart would share banks if that is even: then 4 unused floats in every 36 set them apart, and float4s stay
// whole.
__device__ static int skewed(int i, int narrow) { return narrow % 2 == 0 ? i + i / 32 * QUAD : i; }

__host__ __device__ constexpr int skewed_size(int floats) { return floats + floats / 32 * QUAD + QUAD; }

constexpr int ROWS_SLAB = 8448;  // floats
constexpr int BATCH = 2;         // float4s that a thread loads before it stores them

// Columns of a slab. Wherever a row of them starts, it lies in length / 4 + 1 float4s, and that is a multiple of 32: no
// lane of the warps that load it goes without.
static int few_rows_length(int rows) {
    const int spans = ROWS_SLAB / rows / SPAN;
    return (spans > 0 ? spans : 1) * SPAN - QUAD;
}

__global__ void __launch_bounds__(SLAB_THREADS) few_rows(const float* in, float* out, int rows, int cols, int length) {
    extern __shared__ float4 quads_of_slab[];
    float* const slab = reinterpret_cast<float*>(quads_of_slab);
    const int warp = threadIdx.x / WARP;
    const int lane = threadIdx.x % WARP;
    const long long first_col = static_cast<long long>(blockIdx.x) * length;
    const int width = static_cast<int>(first_col + length < cols ? length : cols - first_col);
    float* const first = out + first_col * rows;
    const int lead = floats_past(first, LINE);  // the slab starts that far into a line, here as in the output

    // The loads of a batch are under way before the first is stored.
    const int in_shift = floats_past(in, QUAD);
    const int steps = (length + QUAD) / SPAN;  // of a warp along a row
    for (int batch = warp; batch < rows * steps; batch += BATCH * SLAB_WARPS) {
        float4 loaded[BATCH];
        int cols_of[BATCH];
#pragma unroll
        for (int k = 0; k < BATCH; ++k) {
            const int i = batch + k * SLAB_WARPS;
            const long long start = static_cast<long long>(i / steps) * cols + first_col;
            const int shift = static_cast<int>((start + in_shift) % QUAD);
            cols_of[k] = (i % steps * WARP + lane) * QUAD - shift;
            loaded[k] = load_inside(in + start, cols_of[k], 0, i < rows * steps ? width : 0);
        }
#pragma unroll
        for (int k = 0; k < BATCH; ++k) {
            const int row = (batch + k * SLAB_WARPS) / steps;
            if (row >= rows) break;
            const float values[QUAD] = {loaded[k].x, loaded[k].y, loaded[k].z, loaded[k].w};
            for (int j = 0; j < QUAD; ++j) {
                const int col = cols_of[k] + j;
                if (col >= 0 && col < width) slab[skewed(col * rows + row + lead, rows)] = values[j];
            }
        }
    }

    __syncthreads();

    float* const to = first - lead;
    const int end = lead + width * rows;
#pragma unroll 4
    for (int i = threadIdx.x * QUAD; i < end; i += SLAB_THREADS * QUAD) {
        const float* const from = slab + skewed(i, rows);
        if (i >= lead && i + QUAD <= end) {
            *reinterpret_cast<float4*>(to + i) = *reinterpret_cast<const float4*>(from);
        } else {
            for (int j = 0; j < QUAD; ++j) {
                if (i + j >= lead && i + j < end) to[i + j] = from[j];
            }
        }
    }
}

// A slab of FLOATS floats, and one sector more for each column: the windows start early here, too.
template <int FLOATS>
__global__ void __launch_bounds__(SLAB_THREADS) few_cols(const float* in, float* out, int rows, int cols, int length) {
    constexpr int LOADED = FLOATS + SECTOR * NARROW + QUAD;
    constexpr int PASSES = (LOADED / QUAD - 1) / SLAB_THREADS + 1;
    __shared__ float4 quads_of_slab[skewed_size(LOADED) / QUAD];
    float* const slab = reinterpret_cast<float*>(quads_of_slab);
    // A whole sector of rows more, not 7: the slab then starts as far into a float4 as the matrix does.
    const long long first_row = static_cast<long long>(blockIdx.x) * length - SECTOR;
    const int lead = floats_past(in, QUAD);

    const long long last_row = first_row + SECTOR + length < rows ? first_row + SECTOR + length : rows;
    const int begin = (first_row < 0 ? SECTOR * cols : 0) + lead;
    const int end = static_cast<int>(last_row - first_row) * cols + lead;
    const float* const from = in + first_row * cols - lead;
    float4 loaded[PASSES];
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        const int i = (pass * SLAB_THREADS + threadIdx.x) * QUAD;
        loaded[pass] = load_inside(from, i, begin, end);
    }
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        const int i = (pass * SLAB_THREADS + threadIdx.x) * QUAD;
        if (i < end) *reinterpret_cast<float4*>(slab + skewed(i, cols)) = loaded[pass];
    }

    __syncthreads();

    const int quads_of_column = length / QUAD;
    const unsigned out_shift = floats_past(out, SECTOR);
#pragma unroll 2
    for (int i = threadIdx.x; i < cols * quads_of_column; i += SLAB_THREADS) {
        const int col = i / quads_of_column;
        const int quad = i % quads_of_column;
        const int early = (static_cast<unsigned>(col) * rows + out_shift) % SECTOR;
        const int row = SECTOR - early + quad * QUAD;  // of the slab
        const long long y = first_row + row;

        float* const to = out + static_cast<long long>(col) * rows + y;
        const int place = row * cols + col + lead;
        const auto element = [=](int j) { return slab[skewed(place + j * cols, cols)]; };
        if (y >= 0 && y + QUAD <= rows) {
            *reinterpret_cast<float4*>(to) = make_float4(element(0), element(1), element(2), element(3));
        } else {
            for (int j = 0; j < QUAD; ++j) {
                if (y + j >= 0 && y + j < rows) to[j] = element(j);
            }
        }
    }
}

template <int FLOATS>
static void launch_few_cols(const float* in, float* out, int rows, int cols) {
    const int length = FLOATS / cols / WARP * WARP;  // rows of a slab
    few_cols<FLOATS><<<(rows + LEAD - 1) / length + 1, SLAB_THREADS>>>(in, out, rows, cols, length);
}

// ---- line -----------------------------------------------------------------------------------------------------------

constexpr int LINE_THREADS = 256;

__global__ void __launch_bounds__(LINE_THREADS) line(const float* in, float* out, long long size) {
    const int lead = floats_past(out, QUAD);
    const long long i = (static_cast<long long>(blockIdx.x) * LINE_THREADS + threadIdx.x) * QUAD - lead;
    if (i >= 0 && i + QUAD <= size && floats_past(in + i, QUAD) == 0) {
        *reinterpret_cast<float4*>(out + i) = *reinterpret_cast<const float4*>(in + i);
    } else {
        for (int j = 0; j < QUAD; ++j) {
            if (i + j >= 0 && i + j < size) out[i + j] = in[i + j];
        }
    }
}

// ---- the choice -----------------------------------------------------------------------------------------------------

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int narrow = rows < cols ? rows : cols;
    const bool is_aligned = floats_past(in, QUAD) == 0 && floats_past(out, QUAD) == 0;
    const bool whole_sectors = is_aligned && rows % SECTOR == 0 && cols % SECTOR == 0;
    const bool whole_quads = is_aligned && rows % QUAD == 0 && cols % QUAD == 0;

    if (narrow == 1) {
        const long long size = static_cast<long long>(rows) * cols;
        const long long quads_touched = (size + QUAD - 1) / QUAD + 1;
        line<<<static_cast<unsigned>((quads_touched - 1) / LINE_THREADS + 1), LINE_THREADS>>>(in, out, size);
    } else if (narrow >= 32 && (whole_sectors || (whole_quads && narrow <= 128))) {
        // Up to 128 rows or columns go into one tile: two would be of different size, or half empty.
        if (rows > 64 && rows <= 128) {
            launch_quads<128, 64>(in, out, rows, cols);
        } else if (cols > 64 && cols <= 128) {
            launch_quads<64, 128>(in, out, rows, cols);
        } else {
            launch_quads<64, 64>(in, out, rows, cols);
        }
    } else if (rows <= cols && (rows <= 32 || (rows <= NARROW && rows % 16 != 0))) {
        const int length = few_rows_length(rows);
        const int bytes = skewed_size(length * rows + LINE) * static_cast<int>(sizeof(float));
        few_rows<<<(cols - 1) / length + 1, SLAB_THREADS, bytes>>>(in, out, rows, cols, length);
    } else if (cols <= NARROW) {
        if (cols <= 8) {
            launch_few_cols<4096>(in, out, rows, cols);
        } else {
            launch_few_cols<8192>(in, out, rows, cols);
        }
    } else if (narrow < 10000) {
        launch_windows<32, 8>(in, out, rows, cols);
    } else {
        launch_windows<96, 16>(in, out, rows, cols);  // loads fewer rows twice, and there are tiles enough
    }
}
