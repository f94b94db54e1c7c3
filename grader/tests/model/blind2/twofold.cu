// What an addition loses is carried beside the sum, in each thread and through the shuffles. DOUBLES: sums are doubles.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef DOUBLES
#define DOUBLES 0
#endif

constexpr int THREADS = 128, BLOCKS = 1584;

#if DOUBLES
struct Sum {
    double sum;
    __device__ void add(float term) { sum += term; }
    __device__ void add_lane(int s) { sum += __shfl_down_sync(0xffffffffu, sum, s); }
    __device__ void add(const Sum& other) { sum += other.sum; }
    __device__ float total() const { return static_cast<float>(sum); }
};
#else
struct Sum {
    float sum, rest;
    __device__ void add(float term) {
        const float both = sum + term, part = both - sum;
        rest += (sum - (both - part)) + (term - part);
        sum = both;
    }
    __device__ void add(const Sum& other) {
        add(other.sum);
        rest += other.rest;
    }
    __device__ void add_lane(int s) {
        Sum other;
        other.sum = __shfl_down_sync(0xffffffffu, sum, s);
        other.rest = __shfl_down_sync(0xffffffffu, rest, s);
        add(other);
    }
    __device__ float total() const { return sum + rest; }
};
#endif

__global__ void __launch_bounds__(THREADS) with_rest(const float* in, std::size_t n, float* sums) {
    __shared__ Sum of_warps[THREADS / 32];
    Sum mine = {};
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x; i < n;
         i += static_cast<std::size_t>(gridDim.x) * THREADS)
        mine.add(in[i]);
    for (int s = 16; s > 0; s /= 2) mine.add_lane(s);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < THREADS / 32; ++w) mine.add(of_warps[w]);
    sums[blockIdx.x] = mine.total();
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    with_rest<<<BLOCKS, THREADS>>>(in, n, scratch);
    with_rest<<<1, THREADS>>>(scratch, BLOCKS, out);
}
