// stage: scan/open
// says: invalid_call
// The launcher gives memory back before the kernel that uses it is launched.
#include <cuda_runtime.h>

__global__ void scan_alone(const unsigned* in, unsigned* out, unsigned* sum, int n) {
    *sum = 0;
    for (int i = 0; i < n; ++i) out[i] = *sum += in[i];
}

void scan(const unsigned* in, unsigned* out, unsigned*, int n) {
    unsigned* sum = nullptr;
    cudaMalloc(&sum, sizeof *sum);
    cudaFree(sum);
    scan_alone<<<1, 1>>>(in, out, sum, n);  // <--
}
