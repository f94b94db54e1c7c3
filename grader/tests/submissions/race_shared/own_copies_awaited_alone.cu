// stage: stencil/halo
// says: race_shared
// Each thread waits for its own copies, and then reads what others have copied: no barrier behind the wait.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstddef>

constexpr int W = 32, H = 8, TW = W + 2, TH = H + 2;

__global__ void alone(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TH][TW];
    const int across = (cols - 1) / W + 1, left = blockIdx.x % across * W, top = blockIdx.x / across * H;
    for (int i = threadIdx.y * W + threadIdx.x; i < TW * TH; i += W * H) {
        const int y = top + i / TW - 1, x = left + i % TW - 1;
        if (y >= 0 && y < rows && x >= 0 && x < cols) __pipeline_memcpy_async(&tile[i / TW][i % TW], in + size_t(y) * cols + x, 4);
        else tile[i / TW][i % TW] = 0.0f;
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    const int x = left + threadIdx.x, y = top + threadIdx.y, c = threadIdx.x + 1, r = threadIdx.y + 1;
    if (x < cols && y < rows)
        out[size_t(y) * cols + x] = tile[r - 1][c] + tile[r + 1][c] + tile[r][c - 1] + tile[r][c + 1] - 4 * tile[r][c];  // <--
}

void stencil(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) alone<<<((cols - 1) / W + 1) * ((rows - 1) / H + 1), dim3(W, H)>>>(in, out, rows, cols);
}
