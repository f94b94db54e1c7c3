// stage: reduction/open
// says: race_shared
// cuda::pipeline with two stages: consumer_release stands before the stage is read, and the next copy may overwrite it.
#include <cuda/pipeline>
#include <cuda_runtime.h>

#include <cstddef>

__global__ void released(const float* in, size_t n, float* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ float stage[2][128];
    struct Block {
        __device__ static int size() { return 128; }
        __device__ static int thread_rank() { return threadIdx.x; }
        __device__ static void sync() { __syncthreads(); }
    } block;
    auto pipe = cuda::make_pipeline(block, &state);
    const size_t tiles = n / 128;
    const auto fetch = [&](size_t k) {
        pipe.producer_acquire();
        if (k < tiles) cuda::memcpy_async(&stage[k % 2][threadIdx.x], in + k * 128 + threadIdx.x, sizeof(float), pipe);
        pipe.producer_commit();
    };
    float sum = 0;
    fetch(0);
    for (size_t k = 0; k < tiles; ++k) {
        fetch(k + 1);
        pipe.consumer_wait();
        pipe.consumer_release();
        sum += stage[k % 2][127 - threadIdx.x];  // <--
    }
    pipe.consumer_wait();
    pipe.consumer_release();
    for (size_t i = tiles * 128 + threadIdx.x; i < n; i += 128) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    released<<<1, 128>>>(in, n, out);
}
