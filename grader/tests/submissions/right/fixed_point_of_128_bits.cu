// stage: reduction/open
// Floats turned into fixed point of 128 bits: the order of the additions does not matter.
#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>

__device__ unsigned long long limbs[2];
__device__ float not_finite;

__device__ __int128 fixed(float v) {
    const unsigned bits = __float_as_uint(v);
    const int exponent = (bits >> 23) & 255;
    __int128 m = (bits & 0x7fffff) | (exponent ? 0x800000 : 0);
    const int shift = (exponent ? exponent : 1) - 150 + 60;
    if (shift >= 0) m <<= shift < 100 ? shift : 100;
    else m >>= -shift < 100 ? -shift : 100;
    return bits >> 31 ? -m : m;
}

__global__ void zero() { limbs[0] = limbs[1] = 0, not_finite = 0; }
__global__ void add(const float* in, size_t n) {
    __int128 sum = 0;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += gridDim.x * size_t(blockDim.x)) {
        if (isfinite(in[i])) sum += fixed(in[i]);
        else atomicAdd(&not_finite, in[i]);
    }
    for (int d = 16; d > 0; d /= 2) {
        const unsigned long long lo = __shfl_down_sync(~0u, static_cast<unsigned long long>(sum), d);
        const unsigned long long hi = __shfl_down_sync(~0u, static_cast<unsigned long long>(sum >> 64), d);
        sum += static_cast<__int128>(static_cast<unsigned __int128>(hi) << 64 | lo);
    }
    if (threadIdx.x % 32 != 0) return;
    const unsigned long long lo = static_cast<unsigned long long>(sum), hi = static_cast<unsigned long long>(sum >> 64);
    const unsigned long long old = atomicAdd(&limbs[0], lo);
    const unsigned long long carry = old + lo < old;
    atomicAdd(&limbs[1], hi + carry);
}
__global__ void back(float* out) {
    const double hi = static_cast<double>(static_cast<long long>(limbs[1])), lo = static_cast<double>(limbs[0]);
    const __int128 whole = static_cast<__int128>(static_cast<unsigned __int128>(limbs[1]) << 64 | limbs[0]);
    const bool is_small = whole < (static_cast<__int128>(1) << 62) && whole > -(static_cast<__int128>(1) << 62);
    *out = static_cast<float>(is_small ? ldexp(static_cast<double>(static_cast<long long>(whole)), -60) : ldexp(hi, 4) + ldexp(lo, -60)) + not_finite;
}

void reduce(const float* in, std::size_t n, float*, float* out) {
    zero<<<1, 1>>>();
    add<<<32, 64>>>(in, n);
    back<<<1, 1>>>(out);
}
