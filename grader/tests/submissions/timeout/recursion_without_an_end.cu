// stage: reduction/open
// says: timeout
// The recursion halves the range, and does not stop at one element when that is the upper half.
#include <cuda_runtime.h>

__device__ __noinline__ float part(const float* in, long long from, long long to) {
    if (to - from < 1) return 0.0f;
    const long long middle = from + (to - from) / 2;
    return part(in, from, middle) + part(in, middle, to);  // <--
}

__global__ void all(const float* in, long long n, float* out) { *out = part(in, 0, n); }

void reduce(const float* in, size_t n, float*, float* out) { all<<<1, 1>>>(in, (long long)n, out); }
