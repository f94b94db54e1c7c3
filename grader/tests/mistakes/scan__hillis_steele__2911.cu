#include <cuda_runtime.h>

const int BS = 1024;

__global__ void scan_naive(const unsigned *g_in, int len, unsigned *g_out, unsigned *block_tot)
{
    __shared__ unsigned temp[2 * BS];
    int thid = threadIdx.x, gid = blockIdx.x * BS + thid;
    int pout = 0, pin = 1;
    temp[thid] = gid < len ? g_in[gid] : 0;
    temp[BS + thid] = 0;
    __syncthreads();
    for (int offset = 1; offset < BS; offset *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (thid >= offset)
            temp[pout * BS + thid] += temp[pin * BS + thid - offset];
        else
            temp[pout * BS + thid] = temp[pin * BS + thid];
        __syncthreads();
    }
    if (gid < len) g_out[gid] = temp[pout * BS + thid];
    if (thid == BS - 1) block_tot[blockIdx.x] = temp[pout * BS + thid];
}

__global__ void add_tot(unsigned *data, const unsigned *tot, int len)
{
    int gid = (blockIdx.x + 1) * BS + threadIdx.x;
    if (gid < len) data[gid] += tot[blockIdx.x];
}

void scan(const unsigned *in, unsigned *out, unsigned *scratch, int n)
{
    if (n == 0) return;
    int b1 = (n - 1) / BS + 1, b2 = (b1 - 1) / BS + 1;
    scan_naive<<<b1, BS>>>(in, n, out, scratch);
    if (b1 == 1) return;
    scan_naive<<<b2, BS>>>(scratch, b1, scratch, scratch + b1);
    if (b2 > 1) {
        scan_naive<<<1, BS>>>(scratch + b1, b2, scratch + b1, scratch + b1 + b2);
        add_tot<<<b2 - 1, BS>>>(scratch, scratch + b1, b1);
    }
    add_tot<<<b1 - 1, BS>>>(out, scratch, n);
}
