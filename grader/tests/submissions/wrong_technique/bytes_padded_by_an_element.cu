// stage: transpose/any_type
// says: rule shared_load_wavefronts_over_ideal
// Every row of the tile is one element longer: right for floats, conflicts for bytes and shorts.
#include <cuda_runtime.h>

template <class T>
__global__ void padded(const T* in, T* out, int rows, int cols) {
    __shared__ T tile[32][33];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (left + threadIdx.x < cols && top + j < rows)
            tile[j][threadIdx.x] = in[(top + j) * cols + left + threadIdx.x];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (top + threadIdx.x < rows && left + j < cols)
            out[(left + j) * rows + top + threadIdx.x] = tile[threadIdx.x][j];
}

template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) padded<<<tiles, dim3(32, 8)>>>(in, out, rows, cols);
}
