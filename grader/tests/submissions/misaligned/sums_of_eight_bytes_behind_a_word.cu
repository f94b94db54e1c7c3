// stage: scan/open
// says: misaligned
// Scratch begins with a word for the number of blocks, and their sums of 8 bytes stand right behind it.
#include <cuda_runtime.h>

using word = unsigned long long;

__global__ void blocks(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    __shared__ unsigned part[256];
    word* const sums = reinterpret_cast<word*>(scratch + 1);
    const int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    for (int s = 1; s < 256; s *= 2) {
        __syncthreads();
        const unsigned other = threadIdx.x >= s ? part[threadIdx.x - s] : 0;
        __syncthreads();
        part[threadIdx.x] += other;
    }
    if (i < n) out[i] = part[threadIdx.x];
    if (i == 0) *scratch = gridDim.x;
    if (threadIdx.x == 255) atomicExch(&sums[blockIdx.x], word(part[255]));  // <--
}

__global__ void add(unsigned* out, const unsigned* scratch, int n) {
    const word* const sums = reinterpret_cast<const word*>(scratch + 1);
    const int i = blockIdx.x * 256 + threadIdx.x;
    unsigned before = 0;
    for (unsigned b = 0; b < blockIdx.x; ++b) before += unsigned(sums[b]);
    if (i < n) out[i] += before;
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    blocks<<<(n + 255) / 256, 256>>>(in, out, scratch, n);
    add<<<(n + 255) / 256, 256>>>(out, scratch, n);
}
