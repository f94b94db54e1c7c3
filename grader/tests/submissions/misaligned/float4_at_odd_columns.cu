// stage: transpose/open
// says: misaligned
// float4 loads whatever the length of a row: fine for multiples of 4 alone.
#include <cuda_runtime.h>

__global__ void quads(const float* in, float* out, int rows, int cols) {
    const int across = (cols + 3) / 4;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= across * rows) return;
    const int y = i / across, x = i % across * 4;
    if (x + 3 < cols) {
        const float4 four = *reinterpret_cast<const float4*>(&in[y * cols + x]);  // <--
        out[x * rows + y] = four.x;
        out[(x + 1) * rows + y] = four.y;
        out[(x + 2) * rows + y] = four.z;
        out[(x + 3) * rows + y] = four.w;
        return;
    }
    for (int k = x; k < cols; ++k) out[k * rows + y] = in[y * cols + k];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int cells = (cols + 3) / 4 * rows;
    if (cells != 0) quads<<<(cells + 255) / 256, 256>>>(in, out, rows, cols);
}
