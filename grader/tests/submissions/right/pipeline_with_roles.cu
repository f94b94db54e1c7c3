// stage: reduction/open
// cuda::pipeline shared by a block with roles: threads of one warp produce, the others consume.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_runtime.h>

#include <cstddef>
namespace cg = cooperative_groups;

constexpr int depth = 2, piece = 96;

__global__ void roles(const float* in, size_t n, float* scratch) {
    __shared__ float stage[depth][piece];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, depth> state;
    __shared__ float sums[3];
    const auto block = cg::this_thread_block();
    const bool produces = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    const size_t pieces = (n + piece - 1) / piece;
    float sum = 0;
    if (produces) {
        int slot = 0;
        for (size_t p = blockIdx.x; p < pieces; p += gridDim.x, slot ^= 1) {
            pipe.producer_acquire();
            for (int k = threadIdx.x; k < piece; k += 32)
                if (p * piece + k < n) cuda::memcpy_async(&stage[slot][k], &in[p * piece + k], sizeof(float), pipe);
            pipe.producer_commit();
        }
    } else {
        int slot = 0;
        for (size_t p = blockIdx.x; p < pieces; p += gridDim.x, slot ^= 1) {
            pipe.consumer_wait();
            const int k = threadIdx.x - 32;
            if (p * piece + k < n) sum += stage[slot][k];
            pipe.consumer_release();
        }
        for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
        if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32 - 1] = sum;
    }
    block.sync();
    if (threadIdx.x == 0) scratch[blockIdx.x] = sums[0] + sums[1] + sums[2];
}

__global__ void add(const float* scratch, float* out, int count) {
    float sum = 0;
    for (int i = 0; i < count; ++i) sum += scratch[i];
    *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    roles<<<40, 128>>>(in, n, scratch);
    add<<<1, 1>>>(scratch, out, 40);
}
