#include <cuda_runtime.h>
#include <cstddef>

#define SIZE 1024

__global__ void prescan(const unsigned* g_idata, int n, unsigned* g_odata, unsigned* block_sums) {
    __shared__ unsigned temp[SIZE];
    int thid = threadIdx.x;
    int base = blockIdx.x * SIZE;
    int offset = 1;
    unsigned a = base + 2 * thid < n ? g_idata[base + 2 * thid] : 0;
    unsigned b = base + 2 * thid + 1 < n ? g_idata[base + 2 * thid + 1] : 0;
    temp[2 * thid] = a;
    temp[2 * thid + 1] = b;
    for (int d = SIZE >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            temp[bi] += temp[ai];
            offset *= 2;
        }
    }
    if (thid == 0) {
        block_sums[blockIdx.x] = temp[SIZE - 1];
        temp[SIZE - 1] = 0;
    }
    for (int d = 1; d < SIZE; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            unsigned t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    if (base + 2 * thid < n) g_odata[base + 2 * thid] = temp[2 * thid] + a;
    if (base + 2 * thid + 1 < n) g_odata[base + 2 * thid + 1] = temp[2 * thid + 1] + b;
}

__global__ void uniform_add(unsigned* g_odata, const unsigned* sums, int n) {
    int i = (blockIdx.x + 1) * SIZE + threadIdx.x;
    if (i < n) g_odata[i] += sums[blockIdx.x];
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    int nb = (n + SIZE - 1) / SIZE;
    prescan<<<nb, SIZE / 2>>>(in, n, out, scratch);
    if (nb == 1) return;
    int ng = (nb + SIZE - 1) / SIZE;
    unsigned* second = scratch + nb;
    prescan<<<ng, SIZE / 2>>>(scratch, nb, scratch, second);
    if (ng > 1) {
        prescan<<<1, SIZE / 2>>>(second, ng, second, second + ng);
        uniform_add<<<ng - 1, SIZE>>>(scratch, second, nb);
    }
    uniform_add<<<nb - 1, SIZE>>>(out, scratch, n);
}
