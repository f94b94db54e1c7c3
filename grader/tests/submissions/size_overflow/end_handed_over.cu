// stage: scan/open
// says: size_overflow
// The kernel is handed the number of bytes, which an int does not hold from 2^29 elements on.
#include <cuda_runtime.h>

__global__ void sums(const unsigned* in, unsigned* out, int bytes) {
    const int n = bytes / 4;
    __shared__ unsigned carry, part[1024];
    if (threadIdx.x == 0) carry = 0;
    for (int first = 0; first < n; first += 1024) {
        const int i = first + threadIdx.x;
        unsigned sum = i < n ? in[i] : 0;
        part[threadIdx.x] = sum;
        __syncthreads();
        for (int s = 1; s < 1024; s *= 2) {
            const unsigned before = threadIdx.x >= s ? part[threadIdx.x - s] : 0;
            __syncthreads();
            sum += before;
            part[threadIdx.x] = sum;
            __syncthreads();
        }
        if (i < n) out[i] = carry + sum;
        __syncthreads();
        if (threadIdx.x == 1023) carry += sum;
        __syncthreads();
    }
}

static int bytes_of(int n) {
    return n * 4;  // <--
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    sums<<<1, 1024>>>(in, out, bytes_of(n));
}
