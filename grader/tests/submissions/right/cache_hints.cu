// stage: transpose/open
// Loads and stores with every cache hint there is, by function and by inline PTX.
#include <cuda_runtime.h>

__device__ float load(const float* p, int kind) {
    switch (kind & 7) {
        case 0: return __ldg(p);
        case 1: return __ldcs(p);
        case 2: return __ldca(p);
        case 3: return __ldcg(p);
        case 4: return __ldlu(p);
        case 5: return __ldcv(p);
        case 6: {
            float v;
            asm("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(v) : "l"(p));
            return v;
        }
        default: {
            float v;
            asm volatile("prefetch.global.L2 [%1]; ld.global.cs.f32 %0, [%1];" : "=f"(v) : "l"(p));
            return v;
        }
    }
}

__device__ void store(float* p, float v, int kind) {
    switch (kind & 3) {
        case 0: __stwb(p, v); break;
        case 1: __stcg(p, v); break;
        case 2: __stcs(p, v); break;
        default: __stwt(p, v);
    }
}

__global__ void hinted(const float* in, float* out, int rows, int cols) {
    const long long n = 1ll * rows * cols;
    for (long long i = blockIdx.x * 256ll + threadIdx.x; i < n; i += 256ll * gridDim.x)
        store(&out[i % cols * rows + i / cols], load(&in[i], blockIdx.x), blockIdx.x / 8);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) hinted<<<96, 256>>>(in, out, rows, cols);
}
