// stage: reduction/open
// cuda::pipeline and cuda::memcpy_async: three stages, four elements a thread and stage.
#include <cooperative_groups.h>
#include <cuda/pipeline>

#include <cstddef>

#include <cuda_runtime.h>

constexpr int stages = 3, threads = 64;

__global__ void piped(const float* in, size_t n, float* out) {
    __shared__ float buffer[stages][threads];
    auto pipe = cuda::make_pipeline();
    const size_t step = size_t{threads} * gridDim.x;
    size_t fetched = size_t{threads} * blockIdx.x + threadIdx.x, used = fetched;
    float sum = 0;
    for (int into = 0, from = 0; used < n; used += step, from = (from + 1) % stages) {
        while (fetched < used + stages * step) {
            pipe.producer_acquire();
            if (fetched < n) cuda::memcpy_async(&buffer[into][threadIdx.x], &in[fetched], sizeof(float), pipe);
            pipe.producer_commit();
            into = (into + 1) % stages;
            fetched += step;
        }
        cuda::pipeline_consumer_wait_prior<stages - 1>(pipe);
        sum += buffer[from][threadIdx.x];
        pipe.consumer_release();
    }
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    piped<<<50, threads>>>(in, n, out);
}
