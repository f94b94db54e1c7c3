// stage: transpose/open
// 16-byte loads where rows and pointers allow them, and an ordinary kernel where they do not.
#include <cstdint>

#include <cuda_runtime.h>

__global__ void quads(const float* in, float* out, int rows, int cols) {
    const int across = cols / 4;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= across * rows) return;
    const int y = i / across, x = i % across * 4;
    const float4 four = *reinterpret_cast<const float4*>(in + y * cols + x);
    out[x * rows + y] = four.x;
    out[(x + 1) * rows + y] = four.y;
    out[(x + 2) * rows + y] = four.z;
    out[(x + 3) * rows + y] = four.w;
}

__global__ void singles(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n == 0) return;
    const bool is_aligned = cols % 4 == 0 && reinterpret_cast<std::uintptr_t>(in) % 16 == 0;
    if (is_aligned)
        quads<<<(n / 4 + 127) / 128, 128>>>(in, out, rows, cols);
    else
        singles<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
