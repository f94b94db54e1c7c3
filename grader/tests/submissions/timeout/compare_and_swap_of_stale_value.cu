// stage: reduction/open
// says: timeout
// The loop compares with the value it began with, whatever has come into its place.
#include <cuda_runtime.h>
#include <cstddef>

__global__ void zero(float* out) { *out = 0; }
__global__ void swap(const float* in, size_t n, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    int* at = reinterpret_cast<int*>(out);
    const int old = __float_as_int(0.0f);
    while (atomicCAS(at, old, __float_as_int(__int_as_float(old) + sum + 1)) != old) {  // <--
    }
}
void reduce(const float* in, size_t n, float*, float* out) { zero<<<1, 1>>>(out); swap<<<10, 32>>>(in, n, out); }
