// stage: scan/open
// says: out_of_bounds
// The launcher asks for memory for one element, and the kernel stores two.
#include <cuda_runtime.h>

__global__ void scan_alone(const unsigned* in, unsigned* out, unsigned* sum, int n) {
    sum[0] = 0;
    sum[1] = n;  // <--
    for (int i = 0; i < n; ++i) out[i] = sum[0] += in[i];
}

void scan(const unsigned* in, unsigned* out, unsigned*, int n) {
    unsigned* sum = nullptr;
    cudaMalloc(&sum, sizeof *sum);
    scan_alone<<<1, 1>>>(in, out, sum, n);
    cudaFree(sum);
}
