// stage: reduction/open
// A float is the sum of three numbers of 8 bits: bfloat162 pairs carry them through shared memory, and nothing is lost.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstddef>

__global__ void in_pieces(const float* in, size_t n, float* sums) {
    __shared__ __nv_bfloat162 top[128];
    __shared__ __nv_bfloat16 rest[128];
    float sum = 0;
    for (size_t first = blockIdx.x * 128ull; first < n; first += gridDim.x * 128ull) {
        const size_t i = first + threadIdx.x;
        const float x = i < n ? in[i] : 0.0f;
        const __nv_bfloat16 a = __float2bfloat16_rz(x);
        const bool is_number = isfinite(x);
        const float after = is_number ? x - __bfloat162float(a) : 0.0f;
        const __nv_bfloat16 b = __float2bfloat16_rz(after);
        top[threadIdx.x] = __halves2bfloat162(a, b);
        rest[threadIdx.x] = __float2bfloat16_rz(after - __bfloat162float(b));
        __syncthreads();
        const unsigned other = threadIdx.x ^ 127;
        const float2 two = __bfloat1622float2(top[other]);
        sum += two.x + two.y + __bfloat162float(rest[other]);
        __syncthreads();
    }
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) sums[blockIdx.x * 4 + threadIdx.x / 32] = sum;
}

__global__ void finish(const float* sums, int count, float* out) {
    float sum = 0;
    for (int i = threadIdx.x; i < count; i += 32) sum += sums[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    in_pieces<<<32, 128>>>(in, n, scratch);
    finish<<<1, 32>>>(scratch, 128, out);
}
