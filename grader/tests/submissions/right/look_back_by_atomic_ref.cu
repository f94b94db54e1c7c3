// stage: scan/open
// Look-back with state and sum in one word of 64 bits, by cuda::atomic_ref with acquire and release.
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <cstdint>
using word = unsigned long long;
using flag_ref = cuda::atomic_ref<word, cuda::thread_scope_device>;
__global__ void clear(word* states, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) states[i] = 0;
}
__global__ void __launch_bounds__(128) look(const unsigned* in, unsigned* out, word* states, int n) {
    constexpr int kEach = 8;
    __shared__ unsigned tile_of_block, before, w[4];
    if (threadIdx.x == 0) tile_of_block = static_cast<unsigned>(flag_ref(states[0]).fetch_add(1, cuda::memory_order_relaxed));
    __syncthreads();
    const unsigned tile = tile_of_block;
    word* mine = states + 1 + tile;
    const size_t base = tile * size_t(128 * kEach) + threadIdx.x * kEach;
    unsigned v[kEach];
    unsigned sum = 0;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        sum += base + k < n ? __ldcs(in + base + k) : 0u;
        v[k] = sum;
    }
    unsigned s = sum;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        unsigned o;
        asm("{ .reg .pred p; shfl.sync.up.b32 %0|p, %1, %2, 0, 0xffffffff; @p add.u32 %0, %0, %1; @!p mov.u32 %0, %1; }" : "=&r"(o) : "r"(s), "r"(d));
        s = o;
    }
    if (threadIdx.x % 32 == 31) w[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned all = w[0] + w[1] + w[2] + w[3];
        if (tile == 0) {
            flag_ref(*mine).store(2ull << 32 | all, cuda::memory_order_release);
            before = 0;
        } else {
            flag_ref(*mine).store(1ull << 32 | all, cuda::memory_order_release);
            unsigned total = 0;
            for (word* other = mine - 1;; --other) {
                word state;
                do state = flag_ref(*other).load(cuda::memory_order_acquire);
                while (state >> 32 == 0);
                total += static_cast<unsigned>(state);
                if (state >> 32 == 2) break;
            }
            flag_ref(*mine).store(2ull << 32 | (total + all), cuda::memory_order_release);
            before = total;
        }
    }
    __syncthreads();
    unsigned base_sum = before + s - sum;
    for (unsigned k = 0; k < threadIdx.x / 32; ++k) base_sum += w[k];
#pragma unroll
    for (int k = 0; k < kEach; ++k)
        if (base + k < n) __stcs(out + base + k, base_sum + v[k]);
}
void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int tiles = (n + 1023) / 1024;
    word* states = reinterpret_cast<word*>((reinterpret_cast<uintptr_t>(scratch) + 7) / 8 * 8);
    clear<<<(tiles + 256) / 256, 256>>>(states, tiles + 1);
    look<<<tiles, 128>>>(in, out, states, n);
}
