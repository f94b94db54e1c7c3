// stage: transpose/open
// says: race_shared
// Named barriers between producers and consumers: the consumers say that the tile is empty, and read it after that.
#include <cuda_runtime.h>

enum Barrier { filled = 1, emptied = 2 };
__device__ void wait(int barrier) { asm volatile("bar.sync %0, 128;" ::"r"(barrier) : "memory"); }
__device__ void tell(int barrier) { asm volatile("bar.arrive %0, 128;" ::"r"(barrier) : "memory"); }

__global__ void early(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int across = (cols + 31) / 32, count = across * ((rows + 31) / 32);
    const bool produces = warp < 2;
    if (!produces) tell(emptied);
    for (int t = blockIdx.x; t < count; t += gridDim.x) {
        const int left = t % across * 32, top = t / across * 32;
        if (produces) {
            wait(emptied);
            for (int r = warp; r < 32; r += 2)
                if (left + lane < cols && top + r < rows) tile[r][lane] = in[size_t(top + r) * cols + left + lane];
            tell(filled);
        } else {
            wait(filled);
            tell(emptied);
            for (int c = warp - 2; c < 32; c += 2)
                if (top + lane < rows && left + c < cols) out[size_t(left + c) * rows + top + lane] = tile[lane][c];  // <--
        }
    }
    if (produces) wait(emptied);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) early<<<3, 128>>>(in, out, rows, cols);
}
