// stage: reduction/open
// Static variables and a table of the launcher's own, which no kernel knows of.
#include <cstddef>

#include <cuda_runtime.h>

static const int widths[] = {32, 64, 128};
static int calls = 0;

__global__ void sums(const float* in, size_t n, float* to) {
    float sum = 0;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(to, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    const int threads = widths[calls++ % 3];
    cudaMemsetAsync(out, 0, sizeof(float));
    sums<<<20, threads>>>(in, n, out);
}
