// stage: reduction/multiple
// The grid-stride loop is one asm statement with labels of its own; the tree is shfl.sync.bfly, too.
#include <cuda_runtime.h>

__device__ __forceinline__ float sum_in_asm(const float* p, unsigned long long i, unsigned long long n, unsigned long long stride) {
    float sum;
    asm volatile(
        "{\n\t"
        ".reg .pred p;\n\t"
        ".reg .u64 i, at;\n\t"
        ".reg .f32 v;\n\t"
        "mov.f32 %0, 0f00000000;\n\t"
        "mov.u64 i, %2;\n\t"
        "setp.ge.u64 p, i, %3;\n\t"
        "@p bra DONE;\n"
        "AGAIN:\n\t"
        "shl.b64 at, i, 2;\n\t"
        "add.u64 at, at, %1;\n\t"
        "ld.global.nc.f32 v, [at];\n\t"
        "add.f32 %0, %0, v;\n\t"
        "add.u64 i, i, %4;\n\t"
        "setp.lt.u64 p, i, %3;\n\t"
        "@p bra AGAIN;\n"
        "DONE:\n\t"
        "}"
        : "=&f"(sum)
        : "l"(p), "l"(i), "l"(n), "l"(stride));
    return sum;
}

__device__ __forceinline__ float butterfly(float v) {
#pragma unroll
    for (int d = 16; d > 0; d >>= 1) {
        float other;
        asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;" : "=f"(other) : "f"(v), "r"(d));
        v += other;
    }
    return v;
}

extern "C" __global__ void __launch_bounds__(256) sum_grid(const float* in, unsigned long long n, float* sums) {
    __shared__ float warps[8];
    unsigned lane, first, step;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("{\n\t.reg .u32 b, n, t;\n\tmov.u32 b, %%ctaid.x;\n\tmov.u32 n, %%ntid.x;\n\tmov.u32 t, %%tid.x;\n\tmad.lo.u32 %0, b, n, t;\n\t}" : "=r"(first));
    asm("{\n\t.reg .u32 g, n;\n\tmov.u32 g, %%nctaid.x;\n\tmov.u32 n, %%ntid.x;\n\tmul.lo.u32 %0, g, n;\n\t}" : "=r"(step));
    const float v = butterfly(sum_in_asm(in, first, n, step));
    if (lane == 0) warps[threadIdx.x >> 5] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        const float all = butterfly(lane < 8 ? warps[lane] : 0.0f);
        if (lane == 0) sums[blockIdx.x] = all;
    }
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    sum_grid<<<264, 256>>>(in, n, scratch);
    sum_grid<<<1, 256>>>(scratch, 264, out);
}
