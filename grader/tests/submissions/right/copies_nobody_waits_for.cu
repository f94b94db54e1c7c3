// stage: reduction/open
// Vectors by cp.async.cg; the last prefetch brings what nobody reads, and the kernel ends without having waited for it.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

__device__ __forceinline__ void copy16(void* to, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<uint32_t>(__cvta_generic_to_shared(to))), "l"(from) : "memory");
}

__global__ void vectors(const float* in, size_t quads, const float* rest, int count, float* out) {
    __shared__ float4 room[2][64];
    const size_t step = gridDim.x * 64ull, first = blockIdx.x * 64ull + threadIdx.x;
    const float4* v = reinterpret_cast<const float4*>(in);
    float sum = 0;
    if (quads > 0) {
        copy16(&room[0][threadIdx.x], v + (first < quads ? first : 0));
        asm volatile("cp.async.commit_group;");
        int k = 0;
        for (size_t i = first; i < quads; i += step, k ^= 1) {
            const size_t next = i + step < quads ? i + step : quads - 1;
            copy16(&room[k ^ 1][threadIdx.x], v + next);
            asm volatile("cp.async.commit_group;");
            asm volatile("cp.async.wait_group 1;" ::: "memory");
            const float4 q = room[k][threadIdx.x];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    }
    if (blockIdx.x == 0 && threadIdx.x < count) sum += rest[threadIdx.x];
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

__global__ void plain(const float* in, size_t n, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 64ull + threadIdx.x; i < n; i += gridDim.x * 64ull) sum += in[i];
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, 4);
    if (reinterpret_cast<uintptr_t>(in) % 16 == 0) vectors<<<50, 64>>>(in, n / 4, in + n / 4 * 4, n % 4, out);
    else plain<<<50, 64>>>(in, n, out);
}
