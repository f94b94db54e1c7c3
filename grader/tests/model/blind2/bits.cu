// Loads of int4 whose bits are floats, TIMES of them a grid apart by a template that calls itself; then a second
// launch.
#include <cuda_runtime.h>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef BLOCKS
#define BLOCKS 528
#endif
#ifndef TIMES
#define TIMES 4
#endif

template <int LEFT>
__device__ __forceinline__ float add_times(const int4* at, int step) {
    const int4 bits = __ldg(at);
    const float sum =
        (__int_as_float(bits.x) + __int_as_float(bits.y)) + (__int_as_float(bits.z) + __int_as_float(bits.w));
    if constexpr (LEFT == 1) {
        return sum;
    } else {
        return sum + add_times<LEFT - 1>(at + step, step);
    }
}

__global__ void __launch_bounds__(THREADS) sum_bits(const float* in, int n, float* sums) {
    __shared__ float partial[THREADS];
    const int4* const body = reinterpret_cast<const int4*>(in);
    const int quads = n / 4, step = gridDim.x * THREADS;
    int i = blockIdx.x * THREADS + threadIdx.x;
    float sum = i < n % 4 ? in[quads * 4 + i] : 0.0f;
    for (; i + (TIMES - 1) * step < quads; i += TIMES * step) sum += add_times<TIMES>(body + i, step);
    for (; i < quads; i += step) sum += add_times<1>(body + i, 0);
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int s = THREADS / 2; s >= 32; s >>= 1) {
        if (threadIdx.x < s) partial[threadIdx.x] = sum = sum + partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x >= 32) return;
    for (int s = 16; s > 0; s >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, s);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    sum_bits<<<BLOCKS, THREADS>>>(in, static_cast<int>(n), scratch);
    sum_bits<<<1, THREADS>>>(scratch, BLOCKS, out);
}
