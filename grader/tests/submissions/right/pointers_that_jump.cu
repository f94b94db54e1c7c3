// stage: scan/open
// Pointer jumping, as on linked lists: every element takes in what its pointer shows and points to where that pointed,
// until __syncthreads_or finds no pointer left.
#include <cuda_runtime.h>

constexpr int SIZE = 256;

__global__ void jump(const unsigned* in, unsigned* out, unsigned* sums, int n) {
    __shared__ unsigned value[SIZE];
    __shared__ short before[SIZE];
    const int t = threadIdx.x, i = blockIdx.x * SIZE + t;
    value[t] = i < n ? in[i] : 0;
    before[t] = t - 1;
    __syncthreads();
    for (;;) {
        const int at = before[t];
        const unsigned more = at >= 0 ? value[at] : 0;
        const short next = at >= 0 ? before[at] : -1;
        if (!__syncthreads_or(at >= 0)) break;
        value[t] += more;
        before[t] = next;
        __syncthreads();
    }
    if (i < n) out[i] = value[t];
    if (t == SIZE - 1) sums[blockIdx.x] = value[t];
}

// One block for the sums: each thread has a run of them, and the runs' sums are scanned in shared memory.
__global__ void runs(unsigned* sums, int count) {
    __shared__ unsigned of_run[2][SIZE];
    const int length = (count + SIZE - 1) / SIZE, first = threadIdx.x * length;
    unsigned sum = 0;
    for (int k = first; k < first + length && k < count; ++k) sum += sums[k];
    int from = 0;
    of_run[0][threadIdx.x] = sum;
    for (int s = 1; s < SIZE; s *= 2, from ^= 1) {  // two rows in turn: one barrier a step
        __syncthreads();
        const unsigned other = threadIdx.x >= s ? of_run[from][threadIdx.x - s] : 0;
        of_run[from ^ 1][threadIdx.x] = of_run[from][threadIdx.x] + other;
    }
    unsigned carry = of_run[from][threadIdx.x] - sum;
    for (int k = first; k < first + length && k < count; ++k) {
        carry += sums[k];
        sums[k] = carry;
    }
}

__global__ void add(unsigned* out, const unsigned* sums, int n) {
    const int i = blockIdx.x * SIZE + threadIdx.x;
    if (i >= SIZE && i < n) out[i] += sums[blockIdx.x - 1];
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int blocks = (n + SIZE - 1) / SIZE;
    jump<<<blocks, SIZE>>>(in, out, scratch, n);
    runs<<<1, SIZE>>>(scratch, blocks);
    add<<<blocks, SIZE>>>(out, scratch, n);
}
