#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>

__global__ void count(const unsigned *x, unsigned *h, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        atomicAdd(&h[i], x[i]);
}

void histogram(const unsigned *in, unsigned *counts, int n)
{
    cudaMemset(counts, 0, 256 * sizeof(unsigned));
    if (n > 0)
        count<<<(n + 255) / 256, 256>>>(in, counts, n);
}
