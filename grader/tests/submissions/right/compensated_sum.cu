// stage: reduction/open
// Kahan's summation in every thread, in a struct with operators.
#include <cstddef>

#include <cuda_runtime.h>

struct Compensated {
    float sum = 0, lost = 0;
    __device__ Compensated& operator+=(float x) {
        if (isinf(x) || isnan(x) || isinf(sum) || isnan(sum)) {
            sum += x;
            lost = 0;
            return *this;
        }
        const float y = __fsub_rn(x, lost), t = __fadd_rn(sum, y);
        lost = __fsub_rn(__fsub_rn(t, sum), y);
        sum = t;
        return *this;
    }
};

__global__ void kahan(const float* in, size_t n, float* sums) {
    Compensated total;
    for (size_t i = blockIdx.x * 64ull + threadIdx.x; i < n; i += gridDim.x * 64ull) total += in[i];
    __shared__ float partial[64];
    partial[threadIdx.x] = total.sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    Compensated block;
    for (int t = 0; t < 64; ++t) block += partial[t];
    sums[blockIdx.x] = block.sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    kahan<<<60, 64>>>(in, n, scratch);
    kahan<<<1, 64>>>(scratch, 60, out);
}
