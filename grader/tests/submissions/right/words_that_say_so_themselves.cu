// stage: scan/open
// Decoupled look-back with no fence at all: state and sum lie in one volatile word of 64 bits, and each word speaks for itself.
#include <cuda_runtime.h>

#include <cstddef>

using Word = unsigned long long;
constexpr int B = 96;

__global__ void clear(Word* words, unsigned* next, int tiles) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < tiles; i += gridDim.x * blockDim.x) words[i] = 0;
    if (blockIdx.x == 0 && threadIdx.x == 0) *next = 0;
}

__global__ void chained(const unsigned* in, unsigned* out, volatile Word* words, unsigned* next, int n, int tiles) {
    __shared__ unsigned tile, before, of_warp[B / 32];
    for (;;) {
        if (threadIdx.x == 0) tile = atomicAdd(next, 1u);
        __syncthreads();
        const int t = tile;
        if (t >= tiles) return;
        const int i = t * B + threadIdx.x;
        unsigned v = i < n ? in[i] : 0;
        for (int d = 1; d < 32; d *= 2) {
            const unsigned o = __shfl_up_sync(~0u, v, d);
            if (threadIdx.x % 32 >= d) v += o;
        }
        if (threadIdx.x % 32 == 31) of_warp[threadIdx.x / 32] = v;
        __syncthreads();
        for (int w = 0; w < threadIdx.x / 32; ++w) v += of_warp[w];
        if (threadIdx.x == B - 1) {
            unsigned sum = 0;
            words[t] = (t == 0 ? 2ull : 1ull) << 32 | v;
            for (int k = t - 1; k >= 0; --k) {
                Word w;
                while (((w = words[k]) >> 32) == 0) {
                }
                sum += unsigned(w);
                if (w >> 32 == 2) break;
            }
            if (t > 0) words[t] = 2ull << 32 | (sum + v);
            before = sum;
        }
        __syncthreads();
        if (i < n) out[i] = before + v;
    }
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int tiles = (n + B - 1) / B;
    Word* words = reinterpret_cast<Word*>((reinterpret_cast<size_t>(scratch) + 7) & ~size_t(7));
    clear<<<4, 128>>>(words, reinterpret_cast<unsigned*>(words + tiles), tiles);
    chained<<<12, B>>>(in, out, words, reinterpret_cast<unsigned*>(words + tiles), n, tiles);
}
