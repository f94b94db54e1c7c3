// One index for all elements; row and column come from a division. WRITES: the index counts the output. EACH: elements a
// thread, a grid apart.
#include <cuda_runtime.h>

#ifndef WRITES
#define WRITES 0
#endif
#ifndef EACH
#define EACH 1
#endif
#ifndef THREADS
#define THREADS 256
#endif

__global__ void by_index(const float* in, float* out, unsigned rows, unsigned cols) {
    const unsigned all = rows * cols, step = gridDim.x * blockDim.x;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int k = 0; k < EACH; ++k, i += step) {
        if (i >= all) return;
#if WRITES
        out[i] = in[i % rows * cols + i / rows];
#else
        out[i % cols * rows + i / cols] = in[i];
#endif
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    const unsigned all = static_cast<unsigned>(rows) * cols, work = THREADS * EACH;
    by_index<<<(all + work - 1) / work, THREADS>>>(in, out, rows, cols);
}
