// stage: reduction/open
// double, 8 and 16-bit integers, __ldg, volatile, __constant__, a switch table, recursion, local arrays, static members.
#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

__constant__ int kOdd[8] = {1, 3, 5, 7, 9, 11, 13, 15};

template <int N>
struct Steps {
    static __device__ int sum() { return N + Steps<N - 1>::sum(); }
};
template <>
struct Steps<0> {
    static __device__ int sum() { return 0; }
};

__device__ __noinline__ int recursive(int n) { return n <= 1 ? 1 : n * recursive(n - 1); }
__device__ __noinline__ int chosen(int n) {
    switch (n) {
        case 0: return 17;
        case 1: return recursive(3);
        case 2: return kOdd[4];
        case 3: return Steps<4>::sum();
        case 4: return static_cast<int8_t>(n * 50);
        case 5: return static_cast<uint16_t>(-n);
        case 6: return static_cast<int>(__double2float_rn(sqrt(144.0)));
        default: return -1;
    }
}

__global__ void __launch_bounds__(64, 2) mixed(const float* __restrict__ in, size_t n, float* out) {
    __shared__ volatile int8_t bytes[64];
    __shared__ short words[64];
    double sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 64) sum += __ldg(&in[i]);
    int found[8];
    for (int k = 0; k < 8; ++k) found[(k + threadIdx.x) & 7] = chosen((k + threadIdx.x) & 7);
    int total = 0;
    for (int k = 0; k < 8; ++k) total += found[k];
    bytes[threadIdx.x] = static_cast<int8_t>(threadIdx.x * 2);
    words[threadIdx.x ^ 1] = static_cast<short>(-static_cast<int>(threadIdx.x));
    __syncthreads();
    const int other = bytes[63 - threadIdx.x] + words[threadIdx.x];
    const bool is_right = total == 17 + 6 + 9 + 10 - 56 + 65531 + 12 - 1 &&
                          other == static_cast<int8_t>((63 - threadIdx.x) * 2) - static_cast<int>(threadIdx.x ^ 1);
    __shared__ double part[64];
    part[threadIdx.x] = is_right ? sum : 1e30;
    for (int s = 32; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    }
    if (threadIdx.x == 0) *out = static_cast<float>(part[0]);
}

void reduce(const float* in, size_t n, float*, float* out) { mixed<<<1, 64>>>(in, n, out); }
