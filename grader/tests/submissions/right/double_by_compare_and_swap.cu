// stage: reduction/open
// Doubles added by compare-and-swap, as the CUDA programming guide has it: the first look is a plain read.
#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

__device__ void add(double* to, double value) {
    unsigned long long* word = reinterpret_cast<unsigned long long*>(to);
    unsigned long long seen = *word, before;
    do {
        before = seen;
        seen = atomicCAS(word, before, __double_as_longlong(__longlong_as_double(before) + value));
    } while (seen != before);
}

__global__ void clear(double* total) { *total = 0; }

__global__ void sums(const float* in, size_t n, double* total) {
    __shared__ double of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    double mine = 0;
    for (size_t i = blockIdx.x * 128ull + threadIdx.x; i < n; i += 128ull * gridDim.x) mine += in[i];
    for (int s = 16; s > 0; s /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, s);
    if (threadIdx.x % 32 == 0) add(&of_block, mine);
    __syncthreads();
    if (threadIdx.x == 0) add(total, of_block);
}

__global__ void round_to_float(const double* total, float* out) { *out = static_cast<float>(*total); }

void reduce(const float* in, size_t n, float* scratch, float* out) {
    // A double needs an address that is a multiple of 8.
    double* total = reinterpret_cast<double*>(reinterpret_cast<std::uintptr_t>(scratch + 1) & ~std::uintptr_t{7});
    clear<<<1, 1>>>(total);
    sums<<<30, 128>>>(in, n, total);
    round_to_float<<<1, 1>>>(total, out);
}
