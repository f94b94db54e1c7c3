#include <cuda_runtime.h>

enum { N_PER_BLOCK = 1024, NTHREADS = 512 };

__global__ void prescan(const unsigned int *g_idata, int n, unsigned int *g_odata, unsigned int *g_sums)
{
    __shared__ unsigned int temp[N_PER_BLOCK];
    int thid = threadIdx.x;
    int base = blockIdx.x * N_PER_BLOCK;
    int ai = 2 * thid, bi = 2 * thid + 1;
    unsigned int a = base + ai < n ? g_idata[base + ai] : 0u;
    unsigned int b = base + bi < n ? g_idata[base + bi] : 0u;
    temp[ai] = a;
    temp[bi] = b;
    int offset = 1;
    for (int d = N_PER_BLOCK >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int i = offset * (2 * thid + 1) - 1;
            int j = offset * (2 * thid + 2) - 1;
            temp[j] += temp[i];
        }
        offset *= 2;
    }
    __syncthreads();
    if (thid == 0) {
        g_sums[blockIdx.x] = temp[N_PER_BLOCK - 1];
        temp[N_PER_BLOCK - 1] = 0;
    }
    for (int d = 1; d < N_PER_BLOCK; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int i = offset * (2 * thid + 1) - 1;
            int j = offset * (2 * thid + 2) - 1;
            unsigned int t = temp[i];
            temp[i] = temp[j];
            temp[j] += t;
        }
    }
    __syncthreads();
    if (base + ai < n) g_odata[base + ai] = temp[ai] + a;
    if (base + bi < n) g_odata[base + bi] = temp[bi] + b;
}

__global__ void uniformAdd(unsigned int *data, const unsigned int *sums, int n)
{
    int i = (blockIdx.x + 1) * N_PER_BLOCK + threadIdx.x;
    if (i < n) data[i] += sums[blockIdx.x];
}

void scan(const unsigned int *in, unsigned int *out, unsigned int *scratch, int n)
{
    if (n == 0) return;
    int nb = (n + N_PER_BLOCK - 1) / N_PER_BLOCK;
    int ng = (nb + N_PER_BLOCK - 1) / N_PER_BLOCK;
    unsigned int *s1 = scratch, *s2 = scratch + nb, *s3 = scratch + nb + ng;
    prescan<<<nb, NTHREADS>>>(in, n, out, s1);
    if (nb == 1) return;
    prescan<<<ng, NTHREADS>>>(s1, n, s1, s2);
    if (ng > 1) {
        prescan<<<1, NTHREADS>>>(s2, ng, s2, s3);
        uniformAdd<<<ng - 1, N_PER_BLOCK>>>(s1, s2, nb);
    }
    uniformAdd<<<nb - 1, N_PER_BLOCK>>>(out, s1, n);
}
