// stage: reduction/open
// says: race_shared
// The mbarrier is told of half of the bytes that two bulk copies bring, and its phase ends with the first of them.
#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

__global__ void bulk(const float* in, size_t n, float* out) {
    __shared__ alignas(16) float tile[512];
    __shared__ alignas(8) uint64_t bar;
    const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
    const uint32_t b = static_cast<uint32_t>(__cvta_generic_to_shared(&bar));
    float sum = 0;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
    __syncthreads();
    size_t done = 0;
    if ((reinterpret_cast<uintptr_t>(in) & 15) == 0 && n >= 512) {
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(b) : "memory");
            for (int half = 0; half < 2; ++half)
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(to + half * 1024), "l"(in + half * 256), "r"(b) : "memory");
        }
        uint32_t ok = 0;
        while (!ok) asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(b) : "memory");
        for (int i = threadIdx.x; i < 512; i += 32) sum += tile[i];  // <--
        done = 512;
    }
    for (size_t i = done + threadIdx.x; i < n; i += 32) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (threadIdx.x == 0) *out = sum;
}

void reduce(const float* in, size_t n, float*, float* out) { bulk<<<1, 32>>>(in, n, out); }
