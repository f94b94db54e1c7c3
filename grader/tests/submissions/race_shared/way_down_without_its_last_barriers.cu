// stage: scan/open
// says: race_shared
// Brent and Kung, and on the way down no barrier in the last steps, as if few threads were still at work: they are many.
#include <cuda_runtime.h>

constexpr int SIZE = 512;

__global__ void network(const unsigned* in, unsigned* out, unsigned* sums, int n) {
    __shared__ unsigned sum[SIZE];
    const int t = threadIdx.x, first = blockIdx.x * SIZE;
    for (int k = t; k < SIZE; k += SIZE / 2) sum[k] = first + k < n ? in[first + k] : 0;
    for (int s = 1; s < SIZE; s *= 2) {
        __syncthreads();
        const int at = (t + 1) * 2 * s - 1;
        if (at < SIZE) sum[at] += sum[at - s];
    }
    for (int s = SIZE / 4; s > 0; s /= 2) {
        if (s > 4) __syncthreads();
        const int at = (t + 1) * 2 * s - 1;
        if (at + s < SIZE) sum[at + s] += sum[at];  // <--
    }
    __syncthreads();
    for (int k = t; k < SIZE; k += SIZE / 2)
        if (first + k < n) out[first + k] = sum[k];
    if (t == 0 && sums) sums[blockIdx.x] = sum[SIZE - 1];
}

__global__ void add(unsigned* out, const unsigned* sums, int n) {
    const int i = (blockIdx.x + 1) * SIZE + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
}

static void level(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    const int blocks = (n + SIZE - 1) / SIZE;
    network<<<blocks, SIZE / 2>>>(in, out, scratch, n);
    if (blocks == 1) return;
    level(scratch, scratch, scratch + blocks, blocks);
    add<<<blocks - 1, SIZE>>>(out, scratch, n);
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n > 0) level(in, out, scratch, n);
}
