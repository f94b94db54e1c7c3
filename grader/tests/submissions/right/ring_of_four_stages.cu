// stage: reduction/open
// A ring of four stages with full and empty barriers of libcu++: one warp produces with memcpy_async, three consume.
#include <cstddef>
#include <cuda/barrier>
#include <cuda_runtime.h>

using barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int kStages = 4, kElements = 96;

__global__ void ring(const float* in, size_t n, float* sums) {
    __shared__ float stage[kStages][kElements];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier full[kStages], empty[kStages];
    if (threadIdx.x < kStages) {
        init(&full[threadIdx.x], 128);
        init(&empty[threadIdx.x], 128);
    }
    __syncthreads();
    const size_t tiles = n / kElements;
    if (threadIdx.x < 32) {
        int s = 0;
        for (size_t t = blockIdx.x; t < tiles; t += gridDim.x, s = (s + 1) % kStages) {
            empty[s].arrive_and_wait();
            for (int i = threadIdx.x; i < kElements; i += 32)
                cuda::memcpy_async(&stage[s][i], in + t * kElements + i, cuda::aligned_size_t<4>(4), full[s]);
            (void)full[s].arrive();
        }
        return;
    }
    for (int s = 0; s < kStages; ++s) (void)empty[s].arrive();
    const int me = threadIdx.x - 32;
    float sum = 0;
    int s = 0;
    for (size_t t = blockIdx.x; t < tiles; t += gridDim.x, s = (s + 1) % kStages) {
        full[s].arrive_and_wait();
        sum += stage[s][me];
        (void)empty[s].arrive();
    }
    for (size_t i = tiles * kElements + blockIdx.x * size_t(96) + me; i < n; i += gridDim.x * size_t(96)) sum += in[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (me % 32 == 0) sums[blockIdx.x * 3 + me / 32] = sum;
}
__global__ void finish(const float* sums, int count, float* out) {
    float sum = 0;
    for (int i = threadIdx.x; i < count; i += 32) sum += sums[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x == 0) *out = sum;
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    ring<<<16, 128>>>(in, n, scratch);
    finish<<<1, 32>>>(scratch, 48, out);
}
