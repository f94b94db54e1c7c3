// stage: reduction/open
// Producers and consumers of the programming guide: barriers `ready` and `filled` for each of two buffers.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda_runtime.h>

#include <cstddef>
using barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int LEN = 128;

__device__ void producer(barrier ready[], barrier filled[], float* buffer, const float* in, size_t n) {
    const size_t step = size_t(gridDim.x) * LEN;
    int i = 0;
    for (size_t first = blockIdx.x * size_t(LEN); first < n; first += step, ++i) {
        ready[i % 2].arrive_and_wait();
        for (int k = threadIdx.x; k < LEN; k += 32) buffer[i % 2 * LEN + k] = first + k < n ? in[first + k] : 0.0f;
        barrier::arrival_token token = filled[i % 2].arrive();
        (void)token;
    }
}

__device__ float consumer(barrier ready[], barrier filled[], const float* buffer, size_t n) {
    barrier::arrival_token token1 = ready[0].arrive();
    barrier::arrival_token token2 = ready[1].arrive();
    (void)token1, (void)token2;
    const size_t step = size_t(gridDim.x) * LEN;
    float sum = 0;
    int i = 0;
    for (size_t first = blockIdx.x * size_t(LEN); first < n; first += step, ++i) {
        filled[i % 2].arrive_and_wait();
        for (int k = threadIdx.x - 32; k < LEN; k += 64) sum += buffer[i % 2 * LEN + k];
        barrier::arrival_token token = ready[i % 2].arrive();
        (void)token;
    }
    return sum;
}

__global__ void roles(const float* in, size_t n, float* out) {
    __shared__ float buffer[2 * LEN];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier bar[4];
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() < 4) init(bar + block.thread_rank(), block.size());
    block.sync();
    if (block.thread_rank() < 32) {
        producer(bar, bar + 2, buffer, in, n);
    } else {
        float s = consumer(bar, bar + 2, buffer, n);
        for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffff, s, d);
        if (threadIdx.x % 32 == 0) atomicAdd(out, s);
    }
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    roles<<<44, 96>>>(in, n, out);
}
