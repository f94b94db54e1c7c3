// stage: transpose/padding
// says: rule shared_load_wavefronts_over_ideal
// The tile is not padded. Hundreds of loads without a conflict, of no use, bring the average down.
#include <cuda_runtime.h>

__global__ void hidden(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][32];
    int x = blockIdx.x % ((cols + 31) / 32) * 32 + threadIdx.x, y = blockIdx.x / ((cols + 31) / 32) * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = x < cols && y < rows ? in[static_cast<size_t>(y) * cols + x] : 0.0f;
    __syncthreads();
    const volatile float* mine = &tile[threadIdx.y][threadIdx.x];
    float last = 0;
    if (rows >= 1000 && cols >= 1000)
        for (int k = 0; k < 320; ++k) last = *mine;
    const float value = tile[threadIdx.x][threadIdx.y];
    const int turned_x = y - threadIdx.y + threadIdx.x, turned_y = x - threadIdx.x + threadIdx.y;
    if (turned_x < rows && turned_y < cols && (last == *mine || rows < 1000 || cols < 1000)) out[static_cast<size_t>(turned_y) * rows + turned_x] = value;
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((cols + 31) / 32) * ((rows + 31) / 32);
    if (tiles != 0) hidden<<<tiles, dim3(32, 32)>>>(in, out, rows, cols);
}
