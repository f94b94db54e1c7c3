// stage: scan/open
// Own sums and running sums in two volatile arrays; a word that is not 0 is there: 1 + the sum in 64 bits. No fence is needed.
#include <cuda_runtime.h>

using Word = unsigned long long;
__device__ volatile Word own[1 << 16], running[1 << 16];
__device__ unsigned drawn;

__global__ void clear(int tiles) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < tiles) own[i] = running[i] = 0;
    if (i == 0) drawn = 0;
}

__global__ void tiles_of_a_warp(const unsigned* in, unsigned* out, int n) {
    unsigned t = 0;
    if (threadIdx.x == 0) t = atomicAdd(&drawn, 1u);
    t = __shfl_sync(~0u, t, 0);
    const int first = t * 256;
    unsigned v[8], sum = 0;
    for (int k = 0; k < 8; ++k) {
        const int i = first + threadIdx.x * 8 + k;
        v[k] = sum += i < n ? in[i] : 0;
    }
    unsigned up = sum;
    for (int d = 1; d < 32; d *= 2) {
        const unsigned o = __shfl_up_sync(~0u, up, d);
        if (threadIdx.x >= d) up += o;
    }
    unsigned before = 0;
    if (threadIdx.x == 31) {
        own[t] = 1ull + up;
        for (int k = int(t) - 1; k >= 0; --k) {
            Word r, o;
            do {
                r = running[k];
                o = own[k];
            } while (r == 0 && o == 0);
            before += unsigned((r != 0 ? r : o) - 1);
            if (r != 0) break;
        }
        running[t] = 1ull + (before + up);
    }
    before = __shfl_sync(~0u, before, 31) + up - sum;
    for (int k = 0; k < 8; ++k) {
        const int i = first + threadIdx.x * 8 + k;
        if (i < n) out[i] = before + v[k];
    }
}

__global__ void serial(const unsigned* in, unsigned* out, int n) {
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) out[i] = sum += in[i];
}

void scan(const unsigned* in, unsigned* out, unsigned*, int n) {
    const int tiles = (n + 255) / 256;
    if (n == 0) return;
    if (tiles > 1 << 16) return serial<<<1, 1>>>(in, out, n);
    clear<<<(tiles + 255) / 256, 256>>>(tiles);
    tiles_of_a_warp<<<tiles, 32>>>(in, out, n);
}
