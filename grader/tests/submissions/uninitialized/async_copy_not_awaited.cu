// stage: transpose/open
// says: uninitialized
// cp.async is committed but never waited for: a barrier alone does not make its data arrive.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

__global__ void impatient(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (left + threadIdx.x < cols && top + j < rows)
            __pipeline_memcpy_async(&tile[j][threadIdx.x], &in[(top + j) * cols + left + threadIdx.x], sizeof(float));
    __pipeline_commit();
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (top + threadIdx.x < rows && left + j < cols)
            out[(left + j) * rows + top + threadIdx.x] = tile[threadIdx.x][j];  // <--
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) impatient<<<tiles, dim3(32, 8)>>>(in, out, rows, cols);
}
