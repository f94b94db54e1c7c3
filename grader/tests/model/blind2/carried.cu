// A copy through shared memory: cp.async of 16 bytes, STAGES of them under way, by a fixed grid. A thread writes what
// it has fetched itself, so there is no barrier.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#ifndef STAGES
#define STAGES 2
#endif
#ifndef THREADS
#define THREADS 128
#endif
#ifndef BLOCKS
#define BLOCKS 1056
#endif

__global__ void __launch_bounds__(THREADS) carry(const float4* in, float4* out, int quads) {
    __shared__ float4 kept[STAGES][THREADS];
    const int thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    for (int s = 0; s < STAGES - 1; ++s) {
        if (thread + s * threads < quads) __pipeline_memcpy_async(&kept[s][threadIdx.x], in + thread + s * threads, 16);
        __pipeline_commit();
    }
    int stage = 0;
    for (int i = thread; i < quads; i += threads) {
        const int next = i + (STAGES - 1) * threads, free = stage == 0 ? STAGES - 1 : stage - 1;
        if (next < quads) __pipeline_memcpy_async(&kept[free][threadIdx.x], in + next, 16);
        __pipeline_commit();
        __pipeline_wait_prior(STAGES - 1);
        out[i] = kept[stage][threadIdx.x];
        stage = stage == STAGES - 1 ? 0 : stage + 1;
    }
}

__global__ void carry_rest(const float* in, float* out, int first, int n) {
    if (first + static_cast<int>(threadIdx.x) < n) out[first + threadIdx.x] = in[first + threadIdx.x];
}

void copy(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    carry<<<BLOCKS, THREADS>>>(reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out), n / 4);
    if (n % 4 != 0) carry_rest<<<1, 32>>>(in, out, n / 4 * 4, n);
}
