// stage: reduction/open
// Persistent blocks take chunks from a counter that each call clears with a memset: eight chunks at a time while much is left, then one.
#include <cuda_runtime.h>

#include <cstddef>

constexpr unsigned chunk = 2048;

__global__ void __launch_bounds__(256) persistent(const float* in, size_t n, unsigned* next, float* out) {
    __shared__ unsigned mine, taken;
    __shared__ float sums[8];
    const unsigned chunks = unsigned((n + chunk - 1) / chunk);
    float sum = 0;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned want = chunks > 64 * gridDim.x ? 8 : 1;
            mine = atomicAdd(next, want);
            taken = want;
        }
        __syncthreads();
        if (mine >= chunks) break;
        const size_t first = size_t(mine) * chunk, end = min(n, first + size_t(taken) * chunk);
        for (size_t i = first + threadIdx.x; i < end; i += 256) sum += in[i];
    }
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 8) {
        float all = sums[threadIdx.x];
        for (int s = 4; s > 0; s /= 2) all += __shfl_down_sync(0xff, all, s, 8);
        if (threadIdx.x == 0) atomicAdd(out, all);
    }
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    cudaMemsetAsync(scratch, 0, 4);
    cudaMemsetAsync(out, 0, 4);
    persistent<<<264, 256>>>(in, n, reinterpret_cast<unsigned*>(scratch), out);
}
