// stage: scan/conflict_free
// Blelloch with an offset for the banks; the sums of the blocks are scanned in place.
#include <cuda_runtime.h>
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
#define N 512
__global__ void prescan(const unsigned* in, unsigned* out, unsigned* sums, int n) {
    __shared__ unsigned temp[N + (N >> LOG_NUM_BANKS)];
    const int thid = threadIdx.x, base = blockIdx.x * N;
    int offset = 1;
    const int ai = thid, bi = thid + N / 2;
    const int bankA = CONFLICT_FREE_OFFSET(ai), bankB = CONFLICT_FREE_OFFSET(bi);
    const unsigned a = base + ai < n ? in[base + ai] : 0, b = base + bi < n ? in[base + bi] : 0;
    temp[ai + bankA] = a;
    temp[bi + bankB] = b;
    for (int d = N >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int i = offset * (2 * thid + 1) - 1, j = offset * (2 * thid + 2) - 1;
            i += CONFLICT_FREE_OFFSET(i);
            j += CONFLICT_FREE_OFFSET(j);
            temp[j] += temp[i];
        }
        offset *= 2;
    }
    if (thid == 0) {
        const int last = N - 1 + CONFLICT_FREE_OFFSET(N - 1);
        if (sums) sums[blockIdx.x] = temp[last];
        temp[last] = 0;
    }
    for (int d = 1; d < N; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int i = offset * (2 * thid + 1) - 1, j = offset * (2 * thid + 2) - 1;
            i += CONFLICT_FREE_OFFSET(i);
            j += CONFLICT_FREE_OFFSET(j);
            const unsigned t = temp[i];
            temp[i] = temp[j];
            temp[j] += t;
        }
    }
    __syncthreads();
    if (base + ai < n) out[base + ai] = temp[ai + bankA] + a;
    if (base + bi < n) out[base + bi] = temp[bi + bankB] + b;
}
__global__ void uniform_add(unsigned* out, const unsigned* sums, int n) {
    __shared__ unsigned before;
    if (blockIdx.x == 0) return;
    if (threadIdx.x == 0) before = sums[blockIdx.x - 1];
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        if (blockIdx.x * N + i < n) out[blockIdx.x * N + i] += before;
}
static void run(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    const int blocks = (n - 1) / N + 1;
    prescan<<<blocks, N / 2>>>(in, out, scratch, n);
    if (blocks == 1) return;
    run(scratch, scratch, scratch + blocks, blocks);
    uniform_add<<<blocks, 256>>>(out, scratch, n);
}
void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n > 0) run(in, out, scratch, n);
}
