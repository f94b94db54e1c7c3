// stage: transpose/open
// says: race_shared
// Copies are told to a cuda::barrier, and nobody waits there: __syncthreads() does not say that they are done.
#include <cuda_runtime.h>
#include <cstddef>
#include <cuda/barrier>
#include <cooperative_groups.h>
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void k(const float* in, float* out, int rows, int cols) {
    __shared__ float t[32][33];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    const int x = blockIdx.x * 32, y = blockIdx.y * 32;
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        if (y + i / 32 < rows && x + i % 32 < cols) cuda::memcpy_async(&t[i / 32][i % 32], in + size_t(y + i / 32) * cols + x + i % 32, sizeof(float), bar);
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        if (x + i / 32 < cols && y + i % 32 < rows) out[size_t(x + i / 32) * rows + y + i % 32] = t[i % 32][i / 32];
}
void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    k<<<dim3((cols + 31) / 32, (rows + 31) / 32), 256>>>(in, out, rows, cols);
}
