// stage: reduction/open
// A template over a tuple of accumulators: the sum, the count and the largest magnitude are folded at once, by index sequences.
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda_runtime.h>

#include <cstddef>

struct Sum {
    float value = 0;
    __device__ void take(float x) { value += x; }
    __device__ void join(const Sum& other) { value += other.value; }
};
struct Count {
    unsigned value = 0;
    __device__ void take(float) { ++value; }
    __device__ void join(const Count& other) { value += other.value; }
};
struct Largest {
    float value = 0;
    __device__ void take(float x) { value = fmaxf(value, fabsf(x)); }
    __device__ void join(const Largest& other) { value = fmaxf(value, other.value); }
};

template <class Tuple, size_t... I>
__device__ void take_all(Tuple& t, float x, cuda::std::index_sequence<I...>) {
    (cuda::std::get<I>(t).take(x), ...);
}
template <class Tuple, size_t... I>
__device__ void join_all(Tuple& t, const Tuple& other, cuda::std::index_sequence<I...>) {
    (cuda::std::get<I>(t).join(cuda::std::get<I>(other)), ...);
}

template <class... Parts>
__global__ void fold(const float* in, size_t n, float* out) {
    using All = cuda::std::tuple<Parts...>;
    constexpr auto each = cuda::std::index_sequence_for<Parts...>{};
    __shared__ alignas(16) unsigned char raw[256 * sizeof(All)];
    All* const shared = reinterpret_cast<All*>(raw);
    All own;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) take_all(own, in[i], each);
    new (&shared[threadIdx.x]) All(own);
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s) join_all(shared[threadIdx.x], shared[threadIdx.x + s], each);
    }
    if (threadIdx.x == 0) *out = cuda::std::get<1>(shared[0]).value == n && cuda::std::get<2>(shared[0]).value >= 0 ? cuda::std::get<0>(shared[0]).value : -1;
}

void reduce(const float* in, size_t n, float*, float* out) { fold<Sum, Count, Largest><<<1, 256>>>(in, n, out); }
