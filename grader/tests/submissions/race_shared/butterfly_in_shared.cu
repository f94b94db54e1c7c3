// stage: reduction/unrolled
// says: race_shared
// The last warp adds what its partner holds; partners read and write the same words at once.
#include <cuda_runtime.h>

__global__ void tree(const float* in, size_t n, float* sums) {
    __shared__ float s[256];
    const int t = threadIdx.x;
    const size_t i = blockIdx.x * 512ull + t;
    s[t] = (i < n ? in[i] : 0.0f) + (i + 256 < n ? in[i + 256] : 0.0f);
    __syncthreads();
    for (int d = 128; d >= 32; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t < 32) {
        for (int d = 16; d > 0; d /= 2) {
            s[t] += s[t ^ d];  // <--
            __syncwarp();
        }
        if (t == 0) sums[blockIdx.x] = s[0];
    }
}

__global__ void rest(const float* sums, int n, float* out) {
    double v = 0.0;
    for (int i = 0; i < n; ++i) v += sums[i];
    *out = (float)v;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    const int blocks = (int)(n / 512 + 1);
    tree<<<blocks, 256>>>(in, n, scratch);
    rest<<<1, 1>>>(scratch, blocks, out);
}
