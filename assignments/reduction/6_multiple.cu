// Stage 6, multiple: a fixed number of threads, each with as many elements as it takes.
//
// Up to here a block lived for a load or two and a tree. Let it live longer: start just enough blocks to fill the GPU,
// whatever n is, and let every thread walk through the input in steps of the whole grid, adding as it goes:
//
//     for (i = its place in the grid; i < n; i += threads in the grid) sum += in[i];
//
// This is the grid-stride loop. The neighbours of a thread load its element's neighbours in every step, so all loads
// are coalesced; the tree is paid once a block instead of once for every 512 elements; and two launches are enough for
// any n: one for the blocks' sums, one block for the sum of those.
//
// (Tempting and wrong: giving each thread one contiguous piece of the input. Its neighbour's element is then a piece
// away, and every load touches 32 sectors instead of 4.)
//
// The task: fill the three TODOs.
//
// When it is done, `./grader/warpgrade check multiple` should show
//   - every n right, also those smaller than the grid;
//   - a grid that does not grow with n;
//   - 4 sectors a load, and few barriers.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;  // of a block
// Blocks of the grid: 8 for each of the 132 multiprocessors of an H200. scratch has room for their sums for any n.
constexpr int BLOCKS = 1056;

// Sums the whole of in, by all blocks of the grid together: block b leaves its share in sums[b].
__global__ void multiple(const float* in, std::size_t n, float* sums) {
    // TODO 1: this thread's own sum, by a grid-stride loop. gridDim.x is how many blocks there are. Count in
    // std::size_t: n may be more than an int can hold, and so may i + stride.

    // TODO 2: the sum over the block, as in stage 5, and sums[blockIdx.x].
    (void)in, (void)n, (void)sums;  // remove this line
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    // TODO 3: two launches of `multiple`: in to BLOCKS sums in scratch; these to out.
    (void)in, (void)n, (void)scratch, (void)out, (void)THREADS, (void)BLOCKS;  // remove this line
}
