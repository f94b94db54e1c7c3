// stage: reduction/open
// says: race_shared
// The stage of the pipeline is given back before it is read, and by other threads than those that filled it.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_runtime.h>
#include <cstddef>
namespace cg = cooperative_groups;
__global__ void finish(const float* scratch, float* out, int k) {
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += scratch[i];
    *out = sum;
}
__global__ void piped(const float* in, size_t n, float* scratch) {
    __shared__ float stage[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    const auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    float sum = 0;
    const int t = threadIdx.x;
    size_t next = blockIdx.x * 64ull;
    int slot = 0;
    for (size_t base = blockIdx.x * 64ull; base < n; base += gridDim.x * 64ull, slot ^= 1) {
        for (; next < n && next <= base + gridDim.x * 64ull; next += gridDim.x * 64ull) {
            const int into = int(next / (gridDim.x * 64ull)) & 1;
            pipe.producer_acquire();
            if (next + t < n) cuda::memcpy_async(&stage[into][t], &in[next + t], sizeof(float), pipe);  // <--
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        pipe.consumer_release();
        const int other = 63 - t;
        if (base + other < n) sum += stage[slot][other];
    }
    __shared__ float sums[64];
    sums[t] = sum;
    __syncthreads();
    if (t == 0) {
        for (int k = 1; k < 64; ++k) sum += sums[k];
        scratch[blockIdx.x] = sum;
    }
}
void reduce(const float* in, size_t n, float* scratch, float* out) { piped<<<20, 64>>>(in, n, scratch); finish<<<1, 1>>>(scratch, out, 20); }
