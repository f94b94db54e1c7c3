// stage: histogram/open
// A byte for each bin and thread, added up before one of them is full.
#include <cuda_runtime.h>
#include <cstdint>
constexpr int kThreads = 64, kMost = 240;
__global__ void count(const unsigned* in, unsigned* counts, int n) {
    extern __shared__ uint8_t bins[];  // 256 x 64
    const auto clear = [&] {
        for (int i = threadIdx.x; i < 256 * kThreads / 4; i += kThreads) reinterpret_cast<unsigned*>(bins)[i] = 0;
    };
    clear();
    __syncthreads();
    const int step = gridDim.x * kThreads * kMost;
    for (int first = blockIdx.x * kThreads * kMost; first < n; first += step) {
        for (int k = 0; k < kMost; ++k) {
            const int i = first + k * kThreads + threadIdx.x;
            if (i < n) ++bins[in[i] * kThreads + threadIdx.x];
        }
        __syncthreads();
        for (int b = threadIdx.x; b < 256; b += kThreads) {
            unsigned sum = 0;
            for (int t = 0; t < kThreads; ++t) sum += bins[b * kThreads + (t + threadIdx.x) % kThreads];
            if (sum) atomicAdd(counts + b, sum);
        }
        __syncthreads();
        clear();
        __syncthreads();
    }
}
__global__ void zero(unsigned* counts) { counts[threadIdx.x] = 0; }
void histogram(const unsigned* in, unsigned* counts, int n) {
    zero<<<1, 256>>>(counts);
    if (n == 0) return;
    count<<<(n + kThreads * kMost - 1) / (kThreads * kMost) < 132 ? (n + kThreads * kMost - 1) / (kThreads * kMost) : 132, kThreads, 256 * kThreads>>>(in, counts, n);
}
