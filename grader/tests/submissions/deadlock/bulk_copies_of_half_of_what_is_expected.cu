// stage: reduction/open
// says: deadlock
// 2048 bytes are expected and 1024 come: of more blocks than could all be waited for until the work is spent.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

__global__ void bulk(const float* in, size_t n, float* scratch) {
    __shared__ alignas(128) float tile[256];
    __shared__ alignas(8) uint64_t bar;
    const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
    const uint32_t barrier = static_cast<uint32_t>(__cvta_generic_to_shared(&bar));
    float sum = 0;
    uint32_t phase = 0;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(1) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    const bool is_aligned = (reinterpret_cast<uintptr_t>(in) & 15) == 0;
    const size_t whole = is_aligned ? n / 256 : 0;
    for (size_t t = blockIdx.x; t < whole; t += gridDim.x) {
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(2048) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                         "l"(in + t * 256), "r"(1024), "r"(barrier)
                         : "memory");
        }
        uint32_t done = 0;
        while (!done)
            asm volatile(
                "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                : "=r"(done)
                : "r"(barrier), "r"(phase)  // <--
                : "memory");
        phase ^= 1;
        sum += tile[threadIdx.x % 256];
        __syncthreads();
    }
    for (size_t i = whole * 256 + blockIdx.x * 1024 + threadIdx.x; i < n; i += gridDim.x * 1024ull) sum += in[i];
    if (threadIdx.x < 32) scratch[blockIdx.x * 32 + threadIdx.x] = sum;
}

__global__ void finish(const float* scratch, float* out) {
    float sum = 0;
    for (int i = threadIdx.x; i < 1024; i += 32) sum += scratch[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    bulk<<<32, 1024>>>(in, n, scratch);
    finish<<<1, 32>>>(scratch, out);
}
