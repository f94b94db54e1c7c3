#include <cuda_runtime.h>
#include <cstddef>

constexpr int D = 32;

__global__ void swizzled(const float* in, float* out, int rows, int cols) {
    __shared__ float t[D][D];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int bx = blockIdx.x, by = blockIdx.z * gridDim.y + blockIdx.y;
    const int c = bx * D + tx, r = by * D + ty;
    if (r < rows && c < cols) t[ty][tx ^ ty] = in[(size_t)r * cols + c];
    __syncthreads();
    const int oc = by * D + tx, orow = bx * D + ty;
    if (orow < cols && oc < rows) out[(size_t)orow * rows + oc] = t[tx][ty];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int down = (rows + D - 1) / D;
    const int z = (down + 65534) / 65535;
    swizzled<<<dim3((cols + D - 1) / D, (down + z - 1) / z, z), dim3(D, D)>>>(in, out, rows, cols);
}
