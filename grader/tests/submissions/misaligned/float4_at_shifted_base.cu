// stage: reduction/open
// says: misaligned
// float4 from the first element on: right only if the input itself starts at a multiple of 16 bytes.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void quads(const float* in, size_t n, float* out) {
    const size_t i = blockIdx.x * 128ull + threadIdx.x;
    float sum = 0;
    if (4 * i + 3 < n) {
        const float4 v = reinterpret_cast<const float4*>(in)[i];  // <--
        sum = v.x + v.y + v.z + v.w;
    } else {
        for (size_t k = 4 * i; k < n; ++k) sum += in[k];
    }
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    quads<<<n / 512 + 1, 128>>>(in, n, out);
}
