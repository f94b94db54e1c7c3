// Warm-up 4, a block's own array: what one thread stores there, another one can read. When is it there?
//
// `__shared__ float box[THREADS];` in a kernel is an array that all threads of a block share. Here every thread puts
// its element into the box, and takes out the element of its mirror image: thread 0 that of thread 255, thread 1 that
// of thread 254. Each writes what it has taken to where it belongs, so the result is a copy again.
//
// Threads do not run in step. A thread may come to take an element out before its mirror image has put it in.
// `__syncthreads()` makes each thread of the block wait until all of them have come to it: a barrier.
//
// The task: fill the two TODOs. Try TODO 2 without TODO 1 first: on a GPU the result would be right on most
// days and wrong on some. The tool calls it an error on every day, because nothing orders the two accesses.
//
// When it is done, `./grader/warpgrade check barrier` should show every shape right.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;  // of a block

__global__ void barrier(const float* in, float* out, std::size_t n) {
    __shared__ float box[THREADS];
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * THREADS;  // element of the block's thread 0
    const int mirror = THREADS - 1 - threadIdx.x;
    if (first + threadIdx.x < n) box[threadIdx.x] = in[first + threadIdx.x];

    // TODO 1: wait until the whole block has filled its box. All threads have to come here, also those without an
    // element.

    // TODO 2: if there is an element first + mirror, write box[mirror] there.
    __syncthreads();
    if (first + threadIdx.x < n) out[first + threadIdx.x] = box[mirror];
}

void copy(const float* in, float* out, int rows, int cols) {
    const std::size_t n = static_cast<std::size_t>(rows) * cols;
    if (n == 0) return;
    barrier<<<static_cast<unsigned>((n - 1) / THREADS + 1), THREADS>>>(in, out, n);
}
