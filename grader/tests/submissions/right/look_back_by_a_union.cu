// stage: scan/open
// Decoupled look-back where value and flag share 64 bits, packed by a union; thread 0 polls by ld.acquire in asm and publishes by st.release.
#include <cuda_runtime.h>

#include <cstdint>

union Descriptor {
    struct {
        unsigned value, flag;
    } part;
    unsigned long long word;
};

__device__ Descriptor peek(const unsigned long long* at) {
    Descriptor d;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(d.word) : "l"(at) : "memory");
    return d;
}
__device__ void publish(unsigned long long* at, unsigned value, unsigned flag) {
    Descriptor d;
    d.part = {value, flag};
    asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(d.word) : "memory");
}

__global__ void __launch_bounds__(192) tiles_of_768(const unsigned* in, unsigned* out, int n, unsigned long long* board, unsigned* next) {
    __shared__ unsigned warp_sums[6], before, tile;
    if (threadIdx.x == 0) tile = atomicAdd(next, 1u);
    __syncthreads();
    const int base = int(tile) * 768 + int(threadIdx.x) * 4;
    unsigned v[4], sum = 0;
    for (int k = 0; k < 4; ++k) v[k] = sum += base + k < n ? in[base + k] : 0u;
    unsigned running = sum;
    for (int d = 1; d < 32; d <<= 1) {
        const unsigned left = __shfl_up_sync(0xffffffffu, running, d);
        if ((threadIdx.x & 31) >= d) running += left;
    }
    if ((threadIdx.x & 31) == 31) warp_sums[threadIdx.x / 32] = running;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned all = 0;
        for (unsigned& w : warp_sums) {
            const unsigned own = w;
            w = all;
            all += own;
        }
        if (tile == 0) {
            publish(board, all, 2);
            before = 0;
        } else {
            publish(board + tile, all, 1);
            unsigned total = 0;
            for (int at = int(tile) - 1;; --at) {
                Descriptor d;
                do d = peek(board + at);
                while (d.part.flag == 0);
                total += d.part.value;
                if (d.part.flag == 2) break;
            }
            publish(board + tile, total + all, 2);
            before = total;
        }
    }
    __syncthreads();
    const unsigned offset = before + warp_sums[threadIdx.x / 32] + running - sum;
    for (int k = 0; k < 4; ++k)
        if (base + k < n) out[base + k] = v[k] + offset;
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int tiles = (n + 767) / 768;
    auto* board = reinterpret_cast<unsigned long long*>((reinterpret_cast<uintptr_t>(scratch) + 15) / 16 * 16);
    cudaMemsetAsync(board, 0, (size_t(tiles) + 1) * 8);
    tiles_of_768<<<tiles, 192>>>(in, out, n, board, reinterpret_cast<unsigned*>(board + tiles));
}
