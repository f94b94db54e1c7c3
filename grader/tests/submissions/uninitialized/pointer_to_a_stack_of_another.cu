// stage: transpose/open
// says: uninitialized
// A pointer to a local array goes through shared memory: each thread that follows it looks into its own local memory.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void lent(const float* in, float* out, int rows, int cols) {
    __shared__ const float* column;
    const int x = blockIdx.x % ((cols + 3) / 4) * 4, y = blockIdx.x / ((cols + 3) / 4);
    float mine[4];
    if (threadIdx.x == 0) {
        for (int k = 0; k < 4; ++k) mine[k] = x + k < cols ? in[size_t(y) * cols + x + k] : 0.0f;
        column = mine;
    }
    __syncthreads();
    if (x + int(threadIdx.x) < cols) out[size_t(x + threadIdx.x) * rows + y] = column[threadIdx.x];  // <--
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) lent<<<(cols + 3) / 4 * rows, 4>>>(in, out, rows, cols);
}
