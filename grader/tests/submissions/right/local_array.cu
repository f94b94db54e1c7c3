// stage: transpose/open
// Each thread turns 4 x 4 elements in a local array whose index the compiler cannot know.
#include <cuda_runtime.h>

__global__ void turn_in_local(const float* in, float* out, int rows, int cols, int turn) {
    const int across = (cols + 3) / 4, down = (rows + 3) / 4;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= across * down) return;
    const int x = i % across * 4, y = i / across * 4;
    float local[16];
    for (int k = 0; k < 16; ++k)
        local[k * turn % 16] = y + k / 4 < rows && x + k % 4 < cols ? in[(y + k / 4) * cols + x + k % 4] : 0.0f;
    for (int k = 0; k < 16; ++k)
        if (y + k % 4 < rows && x + k / 4 < cols)
            out[(x + k / 4) * rows + y + k % 4] = local[(k % 4 * 4 + k / 4) * turn % 16];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int cells = ((rows + 3) / 4) * ((cols + 3) / 4);
    if (cells != 0) turn_in_local<<<(cells + 127) / 128, 128>>>(in, out, rows, cols, 5);
}
