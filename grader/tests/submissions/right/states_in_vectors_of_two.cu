// stage: scan/open
// State and sum are stored and read as a vector of two words, by st.volatile.v2 and ld.volatile.v2; no fence.
#include <cuda_runtime.h>

#include <cstddef>

__device__ __forceinline__ uint2 look(const uint2* p) {
    uint2 v;
    asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : "l"(p) : "memory");
    return v;
}
__device__ __forceinline__ void tell(uint2* p, unsigned state, unsigned sum) {
    asm volatile("st.volatile.global.v2.u32 [%0], {%1, %2};" ::"l"(p), "r"(state), "r"(sum) : "memory");
}

__global__ void clear(uint2* states, unsigned* next, int tiles) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < tiles) states[i] = make_uint2(0, 0);
    if (i == 0) *next = 0;
}

// A warp a tile of 128; its lanes look at 32 tiles before at a time.
__global__ void tiles_of_warps(const unsigned* in, unsigned* out, uint2* states, unsigned* next, int n) {
    const unsigned lane = threadIdx.x;
    int t = 0;
    if (lane == 0) t = atomicAdd(next, 1u);
    t = __shfl_sync(~0u, t, 0);
    const int first = t * 128 + lane * 4;
    unsigned v[4], sum = 0;
    for (int k = 0; k < 4; ++k) v[k] = sum += first + k < n ? in[first + k] : 0;
    unsigned up = sum;
    for (int d = 1; d < 32; d *= 2) {
        const unsigned o = __shfl_up_sync(~0u, up, d);
        if (lane >= d) up += o;
    }
    const unsigned all = __shfl_sync(~0u, up, 31);
    if (lane == 0) tell(&states[t], t == 0 ? 2 : 1, all);
    unsigned before = 0;
    for (int end = t; end > 0; end -= 32) {
        const int k = end - 1 - int(lane);
        uint2 s = make_uint2(2, 0);
        if (k >= 0)
            do s = look(&states[k]);
            while (s.x == 0);
        const unsigned done = __ballot_sync(~0u, s.x == 2);
        const unsigned needed = done == 0 ? ~0u : (done & -done) | ((done & -done) - 1);
        before += __reduce_add_sync(~0u, needed >> lane & 1 ? s.y : 0u);
        if (done != 0) break;
    }
    if (lane == 0 && t > 0) tell(&states[t], 2, before + all);
    for (int k = 0; k < 4; ++k)
        if (first + k < n) out[first + k] = before + up - sum + v[k];
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int tiles = (n + 127) / 128;
    uint2* states = reinterpret_cast<uint2*>((reinterpret_cast<size_t>(scratch) + 7) & ~size_t(7));
    unsigned* next = reinterpret_cast<unsigned*>(states + tiles);
    clear<<<(tiles + 255) / 256, 256>>>(states, next, tiles);
    tiles_of_warps<<<tiles, 32>>>(in, out, states, next, n);
}
