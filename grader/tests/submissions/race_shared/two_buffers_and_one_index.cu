// stage: reduction/open
// says: race_shared
// Two buffers in turn make one barrier a step enough, if they really alternate: this index stays 0.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void turns(const float* in, size_t n, float* out) {
    __shared__ float part[2][256];
    const int t = threadIdx.x;
    float sum = 0;
    for (size_t i = t; i < n; i += 256) sum += in[i];
    int now = 0;
    part[0][t] = sum;
    for (int s = 128; s > 0; s /= 2) {
        __syncthreads();
        const float both = part[now][t] + part[now][(t + s) % 256];  // <--
        now = (now + 2) % 2;
        part[now][t] = both;  // <--
    }
    if (t == 0) *out = part[now][0];
}

void reduce(const float* in, size_t n, float*, float* out) { turns<<<1, 256>>>(in, n, out); }
