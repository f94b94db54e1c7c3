// stage: scan/open
// Brent and Kung in place, without the zero that Blelloch starts the way down with; vectors of four where they are aligned.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int HALF = 256, SIZE = 2 * HALF;

__global__ void network(const uint4* in, uint4* out, unsigned* sums) {
    __shared__ unsigned sum[SIZE];
    const int t = threadIdx.x;
    uint4 v[2];
    for (int k = 0; k < 2; ++k) {
        v[k] = in[blockIdx.x * SIZE + k * HALF + t];
        v[k].y += v[k].x;
        v[k].z += v[k].y;
        v[k].w += v[k].z;
        sum[k * HALF + t] = v[k].w;
    }
    for (int s = 1; s < SIZE; s *= 2) {
        __syncthreads();
        const int at = (t + 1) * 2 * s - 1;
        if (at < SIZE) sum[at] += sum[at - s];
    }
    for (int s = SIZE / 4; s > 0; s /= 2) {
        __syncthreads();
        const int at = (t + 1) * 2 * s - 1;
        if (at + s < SIZE) sum[at + s] += sum[at];
    }
    __syncthreads();
    for (int k = 0; k < 2; ++k) {
        const unsigned before = sum[k * HALF + t] - v[k].w;
        v[k].x += before;
        v[k].y += before;
        v[k].z += before;
        v[k].w += before;
        out[blockIdx.x * SIZE + k * HALF + t] = v[k];
    }
    if (t == 0) sums[blockIdx.x] = sum[SIZE - 1];
}

// Everything by a single warp: the sums, and what is left after the last whole block.
__global__ void by_one_warp(const unsigned* in, unsigned* out, int n, const unsigned* before) {
    unsigned carry = before ? *before : 0;
    for (int first = 0; first < n; first += 32) {
        const int i = first + threadIdx.x;
        unsigned v = i < n ? in[i] : 0;
        for (int s = 1; s < 32; s *= 2) {
            const unsigned other = __shfl_up_sync(0xffffffff, v, s);
            if (threadIdx.x >= s) v += other;
        }
        if (i < n) out[i] = carry + v;
        carry += __shfl_sync(0xffffffff, v, 31);
    }
}

__global__ void add(unsigned* out, const unsigned* sums) {
    for (int k = 0; k < 8; ++k) out[(blockIdx.x + 1) * SIZE * 4 + k * HALF + threadIdx.x] += sums[blockIdx.x];
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    const bool fits = (reinterpret_cast<uintptr_t>(in) | reinterpret_cast<uintptr_t>(out)) % 16 == 0;
    const int blocks = fits ? n / (SIZE * 4) : 0, whole = blocks * SIZE * 4;
    if (blocks > 0) {
        network<<<blocks, HALF>>>(reinterpret_cast<const uint4*>(in), reinterpret_cast<uint4*>(out), scratch);
        by_one_warp<<<1, 32>>>(scratch, scratch, blocks, nullptr);
        if (blocks > 1) add<<<blocks - 1, HALF>>>(out, scratch);
    }
    if (whole < n) by_one_warp<<<1, 32>>>(in + whole, out + whole, n - whole, blocks > 0 ? out + whole - 1 : nullptr);
}
