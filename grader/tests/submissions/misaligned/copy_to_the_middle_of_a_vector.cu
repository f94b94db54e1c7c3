// stage: reduction/open
// says: misaligned
// 16 bytes by cp.async to places that are 20 bytes apart.
#include <cuda_runtime.h>

__global__ void copied(const float* in, size_t n, float* sums) {
    __shared__ float room[128 * 5];
    float v = 0.0f;
    const bool in_fours = reinterpret_cast<size_t>(in) % 16 == 0;
    const size_t quads = in_fours ? n / 4 : 0;
    for (size_t i = blockIdx.x * 128ull + threadIdx.x; i < quads; i += gridDim.x * 128ull) {
        const unsigned to = (unsigned)__cvta_generic_to_shared(room + threadIdx.x * 5);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + i * 4) : "memory");  // <--
        asm volatile("cp.async.wait_all;" ::: "memory");
        for (int k = 0; k < 4; ++k) v += room[threadIdx.x * 5 + k];
    }
    for (size_t i = quads * 4 + blockIdx.x * 128ull + threadIdx.x; i < n; i += gridDim.x * 128ull) v += in[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) sums[blockIdx.x * 4 + threadIdx.x / 32] = v;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    copied<<<64, 128>>>(in, n, scratch + 4);
    copied<<<1, 128>>>(scratch + 4, 256, scratch);
    copied<<<1, 32>>>(scratch, 4, out);
}
