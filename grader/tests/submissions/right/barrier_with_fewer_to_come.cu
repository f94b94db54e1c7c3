// stage: reduction/open
// Half of the threads leave a cuda::barrier by arrive_and_drop().
#include <cuda/barrier>
#include <cuda_runtime.h>
#include <cstddef>
#include <utility>
using Bar = cuda::barrier<cuda::thread_scope_block>;
__global__ void tree(const float* in, std::size_t n, float* scratch) {
    __shared__ float sums[128];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ Bar bar;
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    float sum = 0;
    for (std::size_t i = blockIdx.x * 128ull + threadIdx.x; i < n; i += gridDim.x * 128ull) sum += in[i];
    sums[threadIdx.x] = sum;
    Bar::arrival_token token = bar.arrive();
    const int half0 = 64;
    bar.wait(std::move(token));
    for (int s = half0; s > 0; s /= 2) {
        if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
        if (threadIdx.x < 64 || s == half0) {
            auto t = bar.arrive();
            bar.wait(std::move(t));
        }
        if (s == half0 && threadIdx.x >= 64) {
            bar.arrive_and_drop();
            return;
        }
        if (s == half0) {
            auto t = bar.arrive();
            bar.wait(std::move(t));
        }
    }
    if (threadIdx.x == 0) scratch[blockIdx.x] = sums[0];
}
__global__ void last(const float* scratch, float* out) {
    float v = scratch[threadIdx.x] + scratch[threadIdx.x + 32];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x == 0) out[0] = v;
}
void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    tree<<<64, 128>>>(in, n, scratch);
    last<<<1, 32>>>(scratch, out);
}
