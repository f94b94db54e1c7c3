// stage: transpose/open
// says: race_shared
// A warp's own tile is filled again while some lanes still read it: the second __syncwarp() is missing.
#include <cuda_runtime.h>

__global__ void warp_tiles(const float* in, float* out, int rows, int cols, int across, int pieces) {
    __shared__ float all[2][8 * 33];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float* tile = all[warp];
    for (int p = blockIdx.x * 2 + warp; p < pieces; p += gridDim.x * 2) {
        const int r0 = p / across * 8, c0 = p % across * 32;
        for (int j = 0; j < 8; ++j) tile[j * 33 + lane] = r0 + j < rows && c0 + lane < cols ? in[(size_t)(r0 + j) * cols + c0 + lane] : 0.0f;  // <--
        __syncwarp();
        for (int c = lane / 8; c < 32; c += 4)
            if (r0 + lane % 8 < rows && c0 + c < cols) out[(size_t)(c0 + c) * rows + r0 + lane % 8] = tile[lane % 8 * 33 + c];  // <--
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols + 31) / 32, pieces = across * ((rows + 7) / 8);
    warp_tiles<<<(pieces + 7) / 8, 64>>>(in, out, rows, cols, across, pieces);
}
