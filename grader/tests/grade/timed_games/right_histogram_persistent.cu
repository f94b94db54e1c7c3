// stage: histogram/open
// performance: at least 12
// Right: few blocks, each with bins of its own, and vectors of four where the pointer allows it.
#include <cuda_runtime.h>
#include <cstddef>

__global__ void clear(unsigned* counts) { counts[threadIdx.x] = 0; }

__global__ void count(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[8][257];
    unsigned* const own = bins[threadIdx.x / 32 % 8];
    for (int b = threadIdx.x; b < 8 * 257; b += 256) bins[0][b] = 0;
    __syncthreads();
    const int first = blockIdx.x * 256 + threadIdx.x, stride = gridDim.x * 256;
    const int whole = reinterpret_cast<std::size_t>(in) % 16 == 0 ? n / 4 : 0;
    for (int i = first; i < whole; i += stride) {
        const uint4 v = reinterpret_cast<const uint4*>(in)[i];
        atomicAdd(&own[v.x], 1u);
        atomicAdd(&own[v.y], 1u);
        atomicAdd(&own[v.z], 1u);
        atomicAdd(&own[v.w], 1u);
    }
    for (int i = 4 * whole + first; i < n; i += stride) atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < 8; ++w) sum += bins[w][threadIdx.x];
    if (sum > 0) atomicAdd(&counts[threadIdx.x], sum);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    clear<<<1, 256>>>(counts);
    if (n == 0) return;
    const int wanted = (n - 1) / 1024 + 1;
    count<<<wanted < 1056 ? wanted : 1056, 256>>>(in, counts, n);
}
