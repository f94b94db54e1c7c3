// Stage 4, first add: the first addition happens during the load.
//
// In the first step of the tree half of the threads are idle already, and before it every thread had one load and a
// long wait. Let a thread load two elements and add them on the way: a block then covers 2 * THREADS elements, half as
// many blocks do the work, and each thread has two loads in flight.
//
// The task: fill the three TODOs. The tree is yours from stage 3.
//
// When it is done, `./grader/warpgrade check first_add` should show
//   - every n right. Try n = 257 and n = 511: the second element has its own end;
//   - 2 elements a thread, that is half the blocks of stage 3;
//   - 4 sectors a load, so which two elements? Not 2 * i and 2 * i + 1: neighbouring threads load neighbours, twice.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;           // of a block; a power of two
constexpr int ELEMENTS = 2 * THREADS;  // that a block sums

// Sums ELEMENTS elements of in (fewer in the last block) into sums[blockIdx.x].
__global__ void first_add(const float* in, std::size_t n, float* sums) {
    __shared__ float partial[THREADS];
    const int tid = threadIdx.x;

    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * ELEMENTS + tid;
    partial[tid] = i + THREADS < n ? in[i] + in[i + THREADS] : 0.0f;
    __syncthreads();

    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }

    if (tid == 0) sums[blockIdx.x] = partial[0];
}

// TODO 3: how many blocks for n elements now? At least one. (ELEMENTS, rounded up.)
static std::size_t blocks_for(std::size_t n) {
    return n == 0 ? 1 : (n - 1) / ELEMENTS + 1;
}

// Given: round after round, until one sum is left. A round leaves one sum a block, and these are the input of the next.
void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    while (true) {
        const std::size_t blocks = blocks_for(n);
        float* const sums = blocks == 1 ? out : scratch;
        first_add<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, sums);
        if (blocks == 1) return;
        in = sums;
        n = blocks;
        scratch += blocks;  // the next round must not write over the sums that it reads
    }
}
