#include <cuda_runtime.h>
#include <cuda/barrier>
#include <cstddef>

constexpr int NT = 256;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void sumTiles(const float* src, std::size_t len, float* dst) {
    __shared__ float cache[NT];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ block_barrier bar;
    const int me = threadIdx.x;
    const std::size_t pos = std::size_t(blockIdx.x) * NT + me;
    if (me == 0) init(&bar, NT - 1);
    __syncthreads();
    cache[me] = pos < len ? src[pos] : 0.f;
    bar.arrive_and_wait();
    for (int half = NT / 2; half; half /= 2) {
        if (me < half) cache[me] += cache[me + half];
        bar.arrive_and_wait();
    }
    if (me == 0) dst[blockIdx.x] = cache[0];
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    for (;;) {
        std::size_t tiles = (n + NT - 1) / NT;
        if (tiles <= 1) {
            sumTiles<<<1, NT>>>(in, n, out);
            break;
        }
        sumTiles<<<(unsigned)tiles, NT>>>(in, n, scratch);
        in = scratch;
        n = tiles;
        scratch += tiles;
    }
}
