// Warm-up 1, one thread, one element: find out which thread you are.
//
// A kernel has no loop over the array. It is run by many threads at once, and each of them does one element. Which one
// is its own, a thread works out from two numbers: the number of its block, and its number in the block.
//
//     thread in its block    0 1 2 ... 255 | 0 1 2 ... 255 | 0 1 2 ...
//     block                        0       |       1       |     2
//     element                0 1 2 ... 255 | 256 ...   511 | 512 ...
//
// The task: fill the one TODO. All of the rest is given, also what happens at the end of the array (warm-up 2).
//
// When it is done, `./grader/warpgrade check one_thread` should show every shape right. The matrix of rows x cols is
// treated as one long array here.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;  // of a block

__global__ void one_thread(const float* in, float* out, std::size_t n) {
    const std::size_t block = blockIdx.x;  // in 64 bits: 32 do not count all elements of a large array
    // TODO 1: the number of this thread's element, from block, THREADS and threadIdx.x. As it stands, all threads of a
    // block take the same one.
    const std::size_t i = block + threadIdx.x;

    if (i < n) out[i] = in[i];
}

// Given: so many blocks of 256 threads that there is a thread for every element.
void copy(const float* in, float* out, int rows, int cols) {
    const std::size_t n = static_cast<std::size_t>(rows) * cols;
    if (n == 0) return;  // CUDA refuses a grid of no blocks
    const unsigned blocks = static_cast<unsigned>((n - 1) / THREADS + 1);
    one_thread<<<blocks, THREADS>>>(in, out, n);
}
