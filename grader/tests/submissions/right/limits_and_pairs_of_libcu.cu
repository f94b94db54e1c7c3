// stage: reduction/open
// cuda::std: plus, array, numeric_limits, pair, bit_cast, min; a generic block reduction over any binary operation.
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/utility>
#include <cuda_runtime.h>

template <class T, int kThreads, class Op>
class BlockReduce {
    static_assert(kThreads % 32 == 0, "");

public:
    using Storage = cuda::std::array<T, kThreads / 32>;
    __device__ explicit BlockReduce(Storage& s) : s_(s) {}
    __device__ T operator()(T v, Op op, T identity) {
#pragma unroll
        for (int d = 1; d < 32; d *= 2) v = op(v, __shfl_xor_sync(0xffffffff, v, d));
        if (threadIdx.x % 32 == 0) s_[threadIdx.x / 32] = v;
        __syncthreads();
        v = threadIdx.x < s_.size() ? s_[threadIdx.x] : identity;
        if (threadIdx.x < 32) {
#pragma unroll
            for (int d = 1; d < 32; d *= 2) v = op(v, __shfl_xor_sync(0xffffffff, v, d));
        }
        return v;
    }

private:
    Storage& s_;
};

__global__ void sum_and_largest(const float* in, size_t n, cuda::std::pair<float, float>* parts) {
    using Sum = BlockReduce<float, 256, cuda::std::plus<>>;
    __shared__ Sum::Storage storage;
    float sum = 0.0f, least = cuda::std::numeric_limits<float>::max();
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) {
        sum += in[i];
        least = cuda::std::min(least, cuda::std::bit_cast<float>(cuda::std::bit_cast<unsigned>(in[i]) & 0x7fffffffu));
    }
    sum = Sum(storage)(sum, {}, 0.0f);
    if (threadIdx.x == 0) parts[blockIdx.x] = {sum, least};
}

__global__ void finish(const cuda::std::pair<float, float>* parts, int count, float* out) {
    using Sum = BlockReduce<float, 256, cuda::std::plus<>>;
    __shared__ Sum::Storage storage;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < count; i += 256) sum += parts[i].first;
    sum = Sum(storage)(sum, {}, 0.0f);
    if (threadIdx.x == 0) *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    auto* const parts = reinterpret_cast<cuda::std::pair<float, float>*>(scratch);
    sum_and_largest<<<512, 256>>>(in, n, parts);
    finish<<<1, 256>>>(parts, 512, out);
}
