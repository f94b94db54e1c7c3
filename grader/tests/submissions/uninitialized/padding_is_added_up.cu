// stage: reduction/open
// says: uninitialized
// Rows of 33 words keep banks apart, and the sum over the array takes in the word that nobody stores.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void padded(const float* in, size_t n, float* out) {
    __shared__ float part[8][33];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 256) sum += in[i];
    part[warp][lane] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    float total = 0;
    for (int k = 0; k < 8 * 33; ++k) total += (&part[0][0])[k];  // <--
    *out = total;
}

void reduce(const float* in, size_t n, float*, float* out) { padded<<<1, 256>>>(in, n, out); }
