// stage: reduction/open
// says: misaligned
// Dynamic memory is carved by offset: behind a byte for each of 66 threads come floats, at an address that is no multiple of 4.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void carved(const float* in, size_t n, float* out) {
    extern __shared__ unsigned char raw[];
    unsigned char* const marks = raw;
    float* const sums = reinterpret_cast<float*>(raw + blockDim.x);
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
    marks[threadIdx.x] = sum != 0;
    sums[threadIdx.x] = sum;  // <--
    __syncthreads();
    if (threadIdx.x != 0) return;
    float total = 0;
    for (unsigned t = 0; t < blockDim.x; ++t)
        if (marks[t]) total += sums[t];
    *out = total;
}

void reduce(const float* in, size_t n, float*, float* out) { carved<<<1, 66, 66 * 5>>>(in, n, out); }
