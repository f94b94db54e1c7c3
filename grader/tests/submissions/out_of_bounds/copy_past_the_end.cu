// stage: reduction/open
// says: out_of_bounds
// cp.async takes 16 bytes where fewer are left.
#include <cuda_runtime.h>

__global__ void copied(const float* in, size_t n, float* sums, bool in_fours) {
    __shared__ __align__(16) float room[64 * 4];
    float v = 0.0f;
    if (in_fours) {
        for (size_t i = (blockIdx.x * 64ull + threadIdx.x) * 4; i < n; i += gridDim.x * 256ull) {
            const unsigned to = (unsigned)__cvta_generic_to_shared(room + threadIdx.x * 4);
            asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in + i) : "memory");  // <--
            asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
            for (int k = 0; k < 4 && i + k < n; ++k) v += room[threadIdx.x * 4 + k];
        }
    } else {
        for (size_t i = blockIdx.x * 64ull + threadIdx.x; i < n; i += gridDim.x * 64ull) v += in[i];
    }
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) sums[blockIdx.x * 2 + threadIdx.x / 32] = v;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    copied<<<64, 64>>>(in, n, scratch, (size_t)in % 16 == 0);
    copied<<<1, 64>>>(scratch, 128, scratch + 128, false);
    copied<<<1, 32>>>(scratch + 128, 2, out, false);
}
