// stage: reduction/open
// lop3, bfi, bfe, shf, slct, sad, prmt, popc, brev, copysign, testp, isspacep, cvta, mov of pairs, vote, match, bar.red and
// redux, each where a plain expression would do.
#include <cuda_runtime.h>

__device__ __forceinline__ unsigned log2_of(unsigned v) {
    unsigned r;
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(r) : "r"(v));
    return 31 - r;
}

__global__ void odd_ways(const float* in, size_t n, float* sums) {
    __shared__ float shared[256];
    unsigned tid = threadIdx.x, lane, rest;
    asm("bfe.u32 %0, %1, 0, 5;" : "=r"(lane) : "r"(tid));
    asm("lop3.b32 %0, %1, %2, 0, 0x30;" : "=r"(rest) : "r"(tid), "r"(31u));  // tid & ~31
    asm("bfi.b32 %0, %1, %2, 0, 5;" : "=r"(tid) : "r"(lane), "r"(rest));
    float sum = 0.0f;
    for (size_t i = blockIdx.x * 256ull + tid; i < n; i += gridDim.x * 256ull) {
        float v = in[i], sign;
        unsigned lo, hi;
        const double wide = __hiloint2double(__float_as_int(v), 7);
        asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "d"(wide));
        asm("copysign.f32 %0, %1, %2;" : "=f"(sign) : "f"(v), "f"(fabsf(__uint_as_float(hi | (lo & 8u)))));
        int is_nan;
        asm("{\n\t.reg .pred p;\n\ttestp.notanumber.f32 p, %1;\n\tselp.s32 %0, 1, 0, p;\n\t}" : "=r"(is_nan) : "f"(v));
        sum += is_nan ? v : sign;
    }
    const void* generic = &shared[tid];
    unsigned is_shared;
    asm("{\n\t.reg .pred p;\n\tisspacep.shared p, %1;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(is_shared) : "l"(generic));
    if (is_shared) shared[tid] = sum;
    unsigned count;
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %1, 0;\n\tbar.red.popc.u32 %0, 0, p;\n\t}" : "=r"(count) : "r"(is_shared) : "memory");
    for (unsigned s = 128; s >= 32; s = __funnelshift_r(s, 0, 1)) {
        if (tid < s) shared[tid] += shared[tid + s];
        unsigned reached;
        asm volatile("{\n\t.reg .pred p, q;\n\tsetp.eq.u32 p, %1, 256;\n\tbar.red.and.pred q, 0, p;\n\tselp.u32 %0, 1, 0, q;\n\t}" : "=r"(reached) : "r"(count) : "memory");
        if (!reached) return;
    }
    if (tid >= 32) return;
    float v = shared[tid];
    for (unsigned bit = 0; bit <= log2_of(16); ++bit) {
        float other;
        asm volatile("{\n\t.reg .pred p;\n\tshfl.sync.down.b32 %0|p, %1, %2, 0x1f, 0xffffffff;\n\t@!p mov.f32 %0, 0f00000000;\n\t}" : "=f"(other) : "f"(v), "r"(16u >> bit));
        v += other;
    }
    unsigned everyone, difference;
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(everyone) : "r"(1u));
    asm("sad.u32 %0, %1, 32, 0;" : "=r"(difference) : "r"(everyone));
    float chosen;
    asm("slct.f32.s32 %0, %1, %2, %3;" : "=f"(chosen) : "f"(v), "f"(0.0f), "r"(static_cast<int>(__brev(difference))));
    if (tid == 0) sums[blockIdx.x] = chosen;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    odd_ways<<<200, 256>>>(in, n, scratch);
    odd_ways<<<1, 256>>>(scratch, 200, out);
}
