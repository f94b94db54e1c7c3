// stage: reduction/open
// Objects with virtual functions, made on the device: a thread adds in one of three ways, through a pointer to the base.
#include <cuda_runtime.h>

#include <cstddef>

struct Accumulator {
    __device__ virtual void add(float x) = 0;
    __device__ virtual float sum() const = 0;
    __device__ virtual ~Accumulator() {}
};
struct Plain : Accumulator {
    float s = 0;
    __device__ void add(float x) override { s += x; }
    __device__ float sum() const override { return s; }
};
struct Wide : Accumulator {
    double s = 0;
    __device__ void add(float x) override { s += x; }
    __device__ float sum() const override { return float(s); }
};
struct Alternating final : Plain {
    float even = 0;
    bool turn = false;
    __device__ void add(float x) override { ((turn = !turn) ? even : s) += x; }
    __device__ float sum() const override { return even + Plain::sum(); }
};

__device__ __noinline__ void add_all(Accumulator& to, const float* in, size_t n) {
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) to.add(in[i]);
}

__global__ void chosen(const float* in, size_t n, float* out) {
    __shared__ float part[96];
    Plain plain;
    Wide wide;
    Alternating alternating;
    Accumulator* const kinds[] = {&plain, &wide, &alternating};
    Accumulator& mine = *kinds[threadIdx.x % 3];
    add_all(mine, in, n);
    part[threadIdx.x] = mine.sum();
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int t = 1; t < 96; ++t) part[0] += part[t];
    *out = part[0];
}

void reduce(const float* in, size_t n, float*, float* out) { chosen<<<1, 96>>>(in, n, out); }
