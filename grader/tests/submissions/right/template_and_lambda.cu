// stage: transpose/open
// A kernel template that takes a device lambda's worth of work as a functor, and local lambdas in both functions.
#include <cuda_runtime.h>

struct ToTransposed {
    int rows, cols;
    __device__ int operator()(int i) const { return i % cols * rows + i / cols; }
};

template <class Where, int Elements>
__global__ void scatter(const float* in, float* out, int n, Where where) {
    const auto move = [&](int i) {
        if (i < n) out[where(i)] = in[i];
    };
    const int first = blockIdx.x * blockDim.x * Elements + threadIdx.x;
#pragma unroll
    for (int e = 0; e < Elements; ++e) move(first + e * blockDim.x);
}

void transpose(const float* in, float* out, int rows, int cols) {
    constexpr int elements = 4, threads = 128;
    const auto blocks = [](int n) { return (n + threads * elements - 1) / (threads * elements); };
    const int n = rows * cols;
    if (n != 0) scatter<ToTransposed, elements><<<blocks(n), threads>>>(in, out, n, ToTransposed{rows, cols});
}
