// stage: transpose/padding
// says: rule global_load_sectors_over_ideal
// cp.async along the columns of the input: no ld counts the 32 sectors a request, but they are asked for.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstddef>

__global__ void asynchronous(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const int across = (cols - 1) / 32 + 1;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    if (left + threadIdx.y < cols && top + threadIdx.x < rows)
        __pipeline_memcpy_async(&tile[threadIdx.y][threadIdx.x],
                                &in[std::size_t(top + threadIdx.x) * cols + left + threadIdx.y], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (top + threadIdx.x < rows && left + threadIdx.y < cols)
        out[std::size_t(left + threadIdx.y) * rows + top + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    asynchronous<<<((rows - 1) / 32 + 1) * ((cols - 1) / 32 + 1), dim3(32, 32)>>>(in, out, rows, cols);
}
