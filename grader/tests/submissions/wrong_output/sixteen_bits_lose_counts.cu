// stage: histogram/open
// says: wrong_output
// A block cuts its counts to 16 bits as it hands them on.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void count(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (std::size_t i = blockIdx.x * std::size_t(256) + threadIdx.x; i < n; i += gridDim.x * std::size_t(256))
        atomicAdd(&bins[in[i]], 1u);
    __syncthreads();
    const unsigned short own = static_cast<unsigned short>(bins[threadIdx.x]);
    if (own > 0) atomicAdd(&counts[threadIdx.x], static_cast<unsigned>(own));
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 256 * sizeof(unsigned), 0);
    if (n == 0) return;
    const int wanted = (n - 1) / 1024 + 1;
    count<<<wanted < 1056 ? wanted : 1056, 256>>>(in, counts, n);
}
