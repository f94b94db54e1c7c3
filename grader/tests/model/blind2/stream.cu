// A copy, one float a thread, with hints to the caches. HINT 0: __ldcs and __stcs; 1: __ldg; 2: __ldcg and __stwt.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef HINT
#define HINT 0
#endif

__global__ void hinted_copy(const float* in, float* out, std::size_t n) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
#if HINT == 0
    __stcs(out + i, __ldcs(in + i));
#elif HINT == 1
    out[i] = __ldg(in + i);
#else
    __stwt(out + i, __ldcg(in + i));
#endif
}

void copy(const float* in, float* out, int rows, int cols) {
    const std::size_t n = static_cast<std::size_t>(rows) * cols;
    hinted_copy<<<static_cast<unsigned>((n + 191) / 192), 192>>>(in, out, n);
}
