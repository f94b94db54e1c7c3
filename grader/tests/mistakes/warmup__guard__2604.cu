#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>

__global__ void guarded(const float *from, float *to, size_t n)
{
    size_t id = threadIdx.x + (size_t)blockIdx.x * blockDim.x;
    if (id + 1 >= n) return;
    float value = from[id];
    to[id] = value;
}

void copy(const float *in, float *out, int rows, int cols)
{
    const size_t n = (size_t)rows * (size_t)cols;
    const int perBlock = 256;
    if (n != 0)
        guarded<<<(unsigned)((n + perBlock - 1) / perBlock), perBlock>>>(in, out, n);
}
