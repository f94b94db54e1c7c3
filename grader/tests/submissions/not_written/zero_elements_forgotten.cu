// stage: histogram/open
// says: not_written
// The launcher returns before it has cleared anything where there are no elements.
#include <cuda_runtime.h>

__global__ void clear(unsigned* counts) { counts[threadIdx.x] = 0; }
__global__ void count(const unsigned* in, unsigned* counts, int n) {
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&counts[in[i]], 1);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    if (n == 0) return;
    clear<<<1, 256>>>(counts);
    count<<<64, 256>>>(in, counts, n);
}
