// stage: reduction/open
// red, atom.acq_rel, a fence and ld.acquire by hand.
#include <cuda_runtime.h>
#include <cstddef>
__global__ void clear(float* scratch, float* out) {
    if (threadIdx.x < 2) scratch[threadIdx.x] = 0;
    if (threadIdx.x == 2) *out = 0;
}
__global__ void add(const float* in, std::size_t n, float* total, unsigned* ticket, float* out) {
    float v = 0;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += gridDim.x * std::size_t(blockDim.x)) v += in[i];
    for (int d = 16; d > 0; d >>= 1) {
        float o;
        asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(o) : "f"(v), "r"(d));
        v += o;
    }
    if (threadIdx.x % 32 == 0) asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(total), "f"(v) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned mine;
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
        asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(mine) : "l"(ticket) : "memory");
        if (mine == gridDim.x - 1) {
            float sum;
            asm volatile("ld.acquire.gpu.global.f32 %0, [%1];" : "=f"(sum) : "l"(total) : "memory");
            asm volatile("st.relaxed.gpu.global.f32 [%0], %1;" ::"l"(out), "f"(sum) : "memory");
        }
    }
}
void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    clear<<<1, 32>>>(scratch, out);
    add<<<96, 256>>>(in, n, scratch, reinterpret_cast<unsigned*>(scratch + 1), out);
}
