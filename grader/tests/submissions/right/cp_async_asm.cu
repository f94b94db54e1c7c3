// stage: transpose/open
// cp.async written as inline PTX, with a group of its own to wait for.
#include <cuda_runtime.h>

__device__ void copy_async(float* to, const float* from) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared), "l"(from) : "memory");
}

__global__ void asynchronous(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[16][17];
    const int across = (cols + 15) / 16;
    const int left = blockIdx.x % across * 16, top = blockIdx.x / across * 16;
    const int tx = threadIdx.x, ty = threadIdx.y;
    if (left + tx < cols && top + ty < rows) copy_async(&tile[ty][tx], in + (top + ty) * cols + left + tx);
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    if (top + tx < rows && left + ty < cols) out[(left + ty) * rows + top + tx] = tile[tx][ty];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 15) / 16) * ((cols + 15) / 16);
    if (tiles != 0) asynchronous<<<tiles, dim3(16, 16)>>>(in, out, rows, cols);
}
