// stage: reduction/open
// says: deadlock
// The wait asks for the phase before the first, which is over until all have come: the early ones pass, the last ones never.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

__global__ void parity(const float* in, size_t n, float* out) {
    __shared__ uint64_t bar;
    __shared__ float part[128];
    const uint32_t address = uint32_t(__cvta_generic_to_shared(&bar));
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 128;" ::"r"(address) : "memory");
    __syncthreads();
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 128) sum += in[i];
    part[threadIdx.x] = sum;
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(address) : "memory");
    uint32_t is_over = 0;
    while (is_over == 0)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(is_over) : "r"(address), "r"(1) : "memory");  // <--
    if (threadIdx.x != 0) return;
    float total = 0;
    for (int t = 0; t < 128; ++t) total += part[t];
    *out = total;
}

void reduce(const float* in, size_t n, float*, float* out) { parity<<<1, 128>>>(in, n, out); }
