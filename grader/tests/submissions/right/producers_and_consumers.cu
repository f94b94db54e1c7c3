// stage: transpose/open
// Warps with parts to play: two fill tiles, two empty them, and named barriers hand a tile over.
#include <cuda_runtime.h>

enum Barrier { filled = 1, emptied = 3 };  // one for each of two tiles

__device__ void wait(int barrier) { asm volatile("bar.sync %0, 128;" ::"r"(barrier) : "memory"); }
__device__ void tell(int barrier) { asm volatile("bar.arrive %0, 128;" ::"r"(barrier) : "memory"); }

__global__ void specialised(const float* in, float* out, int rows, int cols) {
    __shared__ float tiles[2][32][33];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int across = (cols + 31) / 32, count = across * ((rows + 31) / 32);
    const bool produces = warp < 2;
    int stage = 0;
    if (!produces) {  // both tiles are empty at first
        tell(emptied + 0);
        tell(emptied + 1);
    }
    for (int t = blockIdx.x; t < count; t += gridDim.x, stage ^= 1) {
        const int left = t % across * 32, top = t / across * 32;
        if (produces) {
            wait(emptied + stage);
            for (int j = warp; j < 32; j += 2)
                if (left + lane < cols && top + j < rows)
                    tiles[stage][j][lane] = in[static_cast<size_t>(top + j) * cols + left + lane];
            tell(filled + stage);
        } else {
            wait(filled + stage);
            for (int j = warp - 2; j < 32; j += 2)
                if (top + lane < rows && left + j < cols)
                    out[static_cast<size_t>(left + j) * rows + top + lane] = tiles[stage][lane][j];
            tell(emptied + stage);
        }
    }
    if (produces) {  // nobody ends while others still tell them something
        wait(emptied + 0);
        wait(emptied + 1);
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) specialised<<<100, 128>>>(in, out, rows, cols);
}
