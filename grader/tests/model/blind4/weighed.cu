// Each element TIMES times through a polynomial, and back again: arithmetic beside memory. WHOLE: by integers.
#include <cuda_runtime.h>

#ifndef TIMES
#define TIMES 16
#endif
#ifndef WHOLE
#define WHOLE 0
#endif
#ifndef EACH
#define EACH 1
#endif

__global__ void weigh(const float* in, float* out, size_t n, float zero, unsigned nought) {
    const size_t stride = gridDim.x * static_cast<size_t>(blockDim.x);
    for (size_t first = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; first < n; first += EACH * stride) {
#pragma unroll
        for (int e = 0; e < EACH; ++e) {
            const size_t i = first + e * stride;
            if (i >= n) continue;
            const float v = in[i];
#if WHOLE
            unsigned x = __float_as_uint(v), y = x;
#pragma unroll
            for (int t = 0; t < TIMES; ++t) y = (y ^ (y << 13)) * 5u + x;
            out[i] = __uint_as_float(x + (y & nought));
#else
            float y = v;
#pragma unroll
            for (int t = 0; t < TIMES; ++t) y = fmaf(y, v, 0.5f);
            out[i] = v + y * zero;
#endif
        }
    }
}
void copy(const float* in, float* out, int rows, int cols) {
    weigh<<<132 * 8, 256>>>(in, out, static_cast<size_t>(rows) * cols, 0.0f, 0u);
}
