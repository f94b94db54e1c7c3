// stage: scan/open
// performance: at least 9
// Right: the solution, with a kernel that clears what tiles publish in place of a cudaMemset.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int WARP = 32;
constexpr int WARPS = 8;
constexpr int THREADS = WARP * WARPS;
constexpr int QUAD = 4;   // elements in a uint4
constexpr int QUADS = 4;  // uint4s a thread, all under way at once
constexpr int WARP_QUADS = WARP * QUADS;
constexpr int WARP_ELEMENTS = WARP_QUADS * QUAD;
constexpr int TILE = WARPS * WARP_ELEMENTS;  // elements of a block
constexpr unsigned ALL_LANES = 0xffffffff;

// What a tile has published: a state in the upper half of a word, a sum in the lower. One word, so that nobody sees one
// without the other, and no fence is needed.
constexpr unsigned OWN_SUM = 1;      // of the tile alone
constexpr unsigned RUNNING_SUM = 2;  // of the tile and all before it
using Word = unsigned long long;

__device__ static Word word_of(unsigned state, unsigned sum) { return static_cast<Word>(state) << 32 | sum; }
__device__ static unsigned state_of(Word word) { return static_cast<unsigned>(word >> 32); }

// The sum of the lanes up to this one. All 32 must call it together.
__device__ static unsigned warp_scan(unsigned sum) {
    const int lane = threadIdx.x % WARP;
    for (int s = 1; s < WARP; s *= 2) {
        const unsigned before = __shfl_up_sync(ALL_LANES, sum, s);
        if (lane >= s) sum += before;
    }
    return sum;
}

// The sum of all tiles before `tile`, by one warp: a lane asks one tile, the nearest first, until a running sum is
// found.
__device__ static unsigned look_back(const Word* published, int tile) {
    const int lane = threadIdx.x % WARP;
    unsigned before = 0;
    for (int nearest = tile - 1; nearest >= 0; nearest -= WARP) {
        Word word = word_of(RUNNING_SUM, 0);  // in front of the first tile there is nothing
        if (nearest - lane >= 0) {
            const volatile Word* const place = published + (nearest - lane);
            do word = *place;
            while (state_of(word) == 0);
        }
        const unsigned running = __ballot_sync(ALL_LANES, state_of(word) == RUNNING_SUM);
        // Lanes past the first running sum ask tiles that it has in it already.
        const int last = running != 0 ? __ffs(running) - 1 : WARP - 1;
        unsigned sum = lane <= last ? static_cast<unsigned>(word) : 0;
        for (int s = WARP / 2; s > 0; s /= 2) sum += __shfl_xor_sync(ALL_LANES, sum, s);
        before += sum;
        if (running != 0) break;
    }
    return before;
}

// Four elements from i on, as zeros past the end.
__device__ static uint4 load_quad(const unsigned* in, int i, int n, bool is_aligned) {
    if (is_aligned && i + QUAD <= n) return *reinterpret_cast<const uint4*>(in + i);
    uint4 quad = make_uint4(0, 0, 0, 0);
    if (i < n) quad.x = in[i];
    if (i + 1 < n) quad.y = in[i + 1];
    if (i + 2 < n) quad.z = in[i + 2];
    if (i + 3 < n) quad.w = in[i + 3];
    return quad;
}

__device__ static void store_quad(unsigned* out, int i, int n, bool is_aligned, uint4 quad) {
    if (is_aligned && i + QUAD <= n) {
        *reinterpret_cast<uint4*>(out + i) = quad;
        return;
    }
    if (i < n) out[i] = quad.x;
    if (i + 1 < n) out[i + 1] = quad.y;
    if (i + 2 < n) out[i + 2] = quad.z;
    if (i + 3 < n) out[i + 3] = quad.w;
}

// `next` and `published` are zero before the launch.
__global__ void __launch_bounds__(THREADS)
    scan_tiles(const unsigned* in, unsigned* out, int n, bool is_aligned, unsigned* next, Word* published) {
    __shared__ unsigned warp_sums[WARPS];
    __shared__ unsigned before_tile;
    __shared__ int drawn;
    const int tid = threadIdx.x;
    const int lane = tid % WARP;
    const int warp = tid / WARP;

    // Tiles are given out in the order in which blocks start: whoever is waited for is running already.
    if (tid == 0) drawn = atomicAdd(next, 1u);
    __syncthreads();
    const int tile = drawn;

    // Quad k of a lane is WARP quads after its quad k - 1: a warp's requests are contiguous.
    const int first = tile * TILE + warp * WARP_ELEMENTS + lane * QUAD;
    uint4 quads[QUADS];
    for (int k = 0; k < QUADS; ++k) quads[k] = load_quad(in, first + k * WARP * QUAD, n, is_aligned);

    // The warp scans the sums of its quads, 32 at a time; `sum` is what is before the next 32.
    unsigned before_quad[QUADS];
    unsigned sum = 0;
    for (int k = 0; k < QUADS; ++k) {
        const unsigned own = quads[k].x + quads[k].y + quads[k].z + quads[k].w;
        const unsigned scanned = warp_scan(own);
        before_quad[k] = sum + scanned - own;
        sum += __shfl_sync(ALL_LANES, scanned, WARP - 1);
    }
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();

    if (warp == 0) {
        const unsigned scanned = warp_scan(lane < WARPS ? warp_sums[lane] : 0);
        const unsigned tile_sum = __shfl_sync(ALL_LANES, scanned, WARP - 1);
        if (lane == 0) atomicExch(published + tile, word_of(tile == 0 ? RUNNING_SUM : OWN_SUM, tile_sum));
        const unsigned before = look_back(published, tile);
        if (lane == 0 && tile > 0) atomicExch(published + tile, word_of(RUNNING_SUM, before + tile_sum));
        if (lane == 0) before_tile = before;
        __syncwarp();
        if (lane < WARPS) warp_sums[lane] = scanned;
    }
    __syncthreads();

    const unsigned before = before_tile + (warp > 0 ? warp_sums[warp - 1] : 0);
    for (int k = 0; k < QUADS; ++k) {
        uint4 quad = quads[k];
        quad.x += before + before_quad[k];
        quad.y += quad.x;
        quad.z += quad.y;
        quad.w += quad.z;
        store_quad(out, first + k * WARP * QUAD, n, is_aligned, quad);
    }
}

__global__ void init(Word* words, int count) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < count) words[i] = 0;
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int tiles = (n - 1) / TILE + 1;
    // scratch may begin at an odd element; the words have 8 bytes. The word before the first is the counter.
    const std::size_t address = reinterpret_cast<std::size_t>(scratch);
    Word* const words = reinterpret_cast<Word*>((address + sizeof(Word) - 1) / sizeof(Word) * sizeof(Word));
    init<<<(tiles + 256) / 256, 256>>>(words, tiles + 1);
    const std::size_t ends = reinterpret_cast<std::size_t>(in) | reinterpret_cast<std::size_t>(out);
    scan_tiles<<<tiles, THREADS>>>(in, out, n, ends % sizeof(uint4) == 0, reinterpret_cast<unsigned*>(words),
                                   words + 1);
}
