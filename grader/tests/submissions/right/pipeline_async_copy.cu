// stage: transpose/open
// The load goes from global to shared memory without a register in between: __pipeline_memcpy_async.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

__global__ void asynchronous(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (left + threadIdx.x < cols && top + j < rows)
            __pipeline_memcpy_async(&tile[j][threadIdx.x], &in[(top + j) * cols + left + threadIdx.x], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (top + threadIdx.x < rows && left + j < cols)
            out[(left + j) * rows + top + threadIdx.x] = tile[threadIdx.x][j];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) asynchronous<<<tiles, dim3(32, 8)>>>(in, out, rows, cols);
}
