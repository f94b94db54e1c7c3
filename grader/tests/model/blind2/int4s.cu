// A copy by int4s in a fixed grid; each thread moves EACH neighbours, then goes on by the grid. The first thread moves
// what is left over.
#include <cuda_runtime.h>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef BLOCKS
#define BLOCKS 2048
#endif
#ifndef EACH
#define EACH 1
#endif

__global__ void by_int4s(const float* in, float* out, int n) {
    const int4* from = reinterpret_cast<const int4*>(in);
    int4* to = reinterpret_cast<int4*>(out);
    const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x, quads = n / 4;
    for (int first = thread * EACH; first < quads; first += threads * EACH) {
#pragma unroll
        for (int k = 0; k < EACH; ++k)
            if (first + k < quads) to[first + k] = from[first + k];
    }
    if (thread == 0)
        for (int i = quads * 4; i < n; ++i) out[i] = in[i];
}

void copy(const float* in, float* out, int rows, int cols) { by_int4s<<<BLOCKS, THREADS>>>(in, out, rows * cols); }
