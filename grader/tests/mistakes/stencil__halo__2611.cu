#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>

const int W = 32, Hh = 8;

__device__ float get(const float *a, int y, int x, int ny, int nx)
{
    return (y >= 0 && y < ny && x >= 0 && x < nx) ? a[(size_t)y * nx + x] : 0.0f;
}

__global__ void smooth(const float *a, float *b, int ny, int nx)
{
    __shared__ float sm[Hh + 2][W + 2];
    int tilesX = (nx + W - 1) / W;
    int gx = (blockIdx.x % tilesX) * W + threadIdx.x;
    int gy = (blockIdx.x / tilesX) * Hh + threadIdx.y;
    int lx = threadIdx.x + 1, ly = threadIdx.y + 1;

    sm[ly][lx] = get(a, gy, gx, ny, nx);
    if (threadIdx.y == 0) {
        sm[0][lx] = get(a, gy - 1, gx, ny, nx);
    }
    if (threadIdx.y == Hh - 1) {
        sm[Hh + 1][lx] = get(a, gy + 1, gx, ny, nx);
    }
    if (threadIdx.x == 0) {
        sm[ly][0] = get(a, gy, gx, ny, nx);
    }
    if (threadIdx.x == W - 1) {
        sm[ly][W + 1] = get(a, gy, gx + 1, ny, nx);
    }
    __syncthreads();
    if (gy < ny && gx < nx)
        b[(size_t)gy * nx + gx] = sm[ly - 1][lx] + sm[ly + 1][lx] + sm[ly][lx - 1] + sm[ly][lx + 1] - 4.0f * sm[ly][lx];
}

void stencil(const float *in, float *out, int rows, int cols)
{
    if (rows < 1 || cols < 1) return;
    int blocks = ((cols + W - 1) / W) * ((rows + Hh - 1) / Hh);
    smooth<<<blocks, dim3(W, Hh)>>>(in, out, rows, cols);
}
