// stage: stencil/wide_halo
// cuda::pipeline of the block with two stages: the next tile of the strip is copied while this one is summed.
#include <cuda/pipeline>
#include <cuda_runtime.h>

#include <cstddef>

constexpr int W = 32, H = 8, R = 2, TW = W + 2 * R, TH = H + 2 * R, TILES = 4;

__global__ void staged(const float* in, const float* weights, float* out, int rows, int cols) {
    using State = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;
    __shared__ float tile[2][TH][TW];
    __shared__ float weight[25];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ State state;
    struct Block {
        __device__ static constexpr int size() { return W * H; }
        __device__ static int thread_rank() { return threadIdx.y * W + threadIdx.x; }
        __device__ static void sync() { __syncthreads(); }
    } block;
    auto pipe = cuda::make_pipeline(block, &state);
    const int tid = block.thread_rank(), across = (cols - 1) / W + 1;
    const int left = blockIdx.x % across * W, top = blockIdx.x / across * H * TILES;
    if (tid < 25) weight[tid] = weights[tid];
    const auto fetch = [&](int k) {
        pipe.producer_acquire();
        for (int i = tid; i < TW * TH; i += W * H) {
            const int y = top + k * H + i / TW - R, x = left + i % TW - R;
            float* const to = &tile[k % 2][i / TW][i % TW];
            if (y >= 0 && y < rows && x >= 0 && x < cols) cuda::memcpy_async(to, in + size_t(y) * cols + x, sizeof(float), pipe);
            else *to = 0.0f;
        }
        pipe.producer_commit();
    };
    fetch(0);
    for (int k = 0; k < TILES; ++k) {
        if (k + 1 < TILES) fetch(k + 1);
        pipe.consumer_wait();
        if (k == 0) __syncthreads();  // the weights
        float sum = 0;
        for (int r = 0; r < 5; ++r)
            for (int c = 0; c < 5; ++c) sum += weight[r * 5 + c] * tile[k % 2][threadIdx.y + r][threadIdx.x + c];
        const int y = top + k * H + threadIdx.y, x = left + threadIdx.x;
        if (y < rows && x < cols) out[size_t(y) * cols + x] = sum;
        pipe.consumer_release();
    }
}

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    staged<<<((cols - 1) / W + 1) * ((rows - 1) / (H * TILES) + 1), dim3(W, H)>>>(in, weights, out, rows, cols);
}
