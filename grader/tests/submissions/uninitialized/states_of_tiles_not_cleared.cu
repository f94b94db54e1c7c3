// stage: scan/open
// says: uninitialized
// A tile goes back over the tiles before it: each says in the upper half of a word what is in the lower, its own sum (1) or
// that of all up to it (2). The ticket is cleared before each launch; the words are not.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

constexpr int TILE = 256;
typedef unsigned long long Word;

__global__ void relay(const unsigned* in, unsigned* out, int n, unsigned* ticket, Word* sums) {
    __shared__ unsigned values[TILE], number, before;
    const int tid = threadIdx.x;
    if (tid == 0) number = atomicAdd(ticket, 1u);
    __syncthreads();
    const unsigned tile = number;
    const size_t i = static_cast<size_t>(tile) * TILE + tid;
    values[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < TILE; d *= 2) {
        const unsigned other = tid >= d ? values[tid - d] : 0;
        __syncthreads();
        values[tid] += other;
        __syncthreads();
    }
    if (tid == 0) {
        const unsigned own = values[TILE - 1];
        unsigned sum = 0;
        if (tile > 0) atomicExch(&sums[tile], 1ull << 32 | own);
        for (int back = static_cast<int>(tile) - 1; back >= 0;) {
            const Word word = atomicAdd(&sums[back], 0ull);  // <--
            const unsigned state = static_cast<unsigned>(word >> 32);
            if (state == 0) continue;
            sum += static_cast<unsigned>(word);
            back = state == 2 ? -1 : back - 1;
        }
        atomicExch(&sums[tile], 2ull << 32 | (sum + own));
        before = sum;
    }
    __syncthreads();
    if (i < n) out[i] = values[tid] + before;
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    cudaMemsetAsync(scratch, 0, sizeof(unsigned), 0);
    Word* const sums = reinterpret_cast<Word*>((reinterpret_cast<std::uintptr_t>(scratch + 1) + 7) / 8 * 8);
    relay<<<(n - 1) / TILE + 1, TILE>>>(in, out, n, scratch, sums);
}
