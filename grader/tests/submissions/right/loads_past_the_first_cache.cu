// stage: reduction/open
// ld.global.nc with hints for both caches, four results in one asm; prefetches run ahead.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

__device__ __forceinline__ float4 load(const float4* from) {
    float4 v;
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(from));
    return v;
}

__global__ void ahead(const float* in, size_t n, float* out) {
    const size_t head = min(n, (16 - reinterpret_cast<uintptr_t>(in) % 16) % 16 / 4);
    const float4* const body = reinterpret_cast<const float4*>(in + head);
    const size_t quads = (n - head) / 4, step = gridDim.x * size_t(blockDim.x);
    float sum = 0;
    const size_t me = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    for (size_t i = me; i < quads; i += step) {
        if (i + step < quads) asm volatile("prefetch.global.L2 [%0];" ::"l"(body + i + step));
        const float4 v = load(body + i);
        sum += (v.x + v.y) + (v.z + v.w);
    }
    if (me < head) sum += in[me];
    const size_t tail = head + quads * 4 + me;
    if (tail < n) sum += in[tail];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(*out), nullptr);
    ahead<<<24, 128>>>(in, n, out);
}
