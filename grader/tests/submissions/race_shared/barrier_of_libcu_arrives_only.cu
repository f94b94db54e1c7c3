// stage: transpose/open
// says: race_shared
// All threads arrive at a barrier of libcu++, and none waits for the others before it reads the tile.
#include <cuda/barrier>
#include <cuda_runtime.h>
__global__ void turned(const float* in, float* out, int rows, int cols, int across) {
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(Barrier) unsigned char room[sizeof(Barrier)];
    __shared__ float tile[32][33];
    Barrier* bar = reinterpret_cast<Barrier*>(room);
    if (threadIdx.x == 0 && threadIdx.y == 0) init(bar, 256);
    __syncthreads();
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (top + j < rows && left + threadIdx.x < cols) tile[j][threadIdx.x] = in[size_t(top + j) * cols + left + threadIdx.x];  // <--
    (void)bar->arrive();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (top + threadIdx.x < rows && left + j < cols) out[size_t(left + j) * rows + top + threadIdx.x] = tile[threadIdx.x][j];  // <--
}
void transpose(const float* in, float* out, int rows, int cols) {
    const int across = (cols + 31) / 32, tiles = across * ((rows + 31) / 32);
    if (tiles > 0) turned<<<tiles, dim3(32, 8)>>>(in, out, rows, cols, across);
}
