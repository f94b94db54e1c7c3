// stage: reduction/open
// performance: at least 9
// Right: the last block to come adds the sums of all, and sets the ticket back for the next call.
#include <cuda_runtime.h>
#include <cstddef>

__device__ unsigned done;

__device__ float sum_of_block(float sum) {
    __shared__ float partial[32];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = threadIdx.x < 16 ? partial[threadIdx.x] : 0;
    for (int d = 8; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    return sum;
}

__global__ void add(const float* in, float* scratch, float* out, std::size_t n) {
    __shared__ bool is_last;
    float sum = 0;
    const std::size_t stride = gridDim.x * std::size_t(512);
    std::size_t i = blockIdx.x * std::size_t(512) + threadIdx.x;
    for (; i + 3 * stride < n; i += 4 * stride) {
        const float a = in[i], b = in[i + stride], c = in[i + 2 * stride], d = in[i + 3 * stride];
        sum += (a + b) + (c + d);
    }
    for (; i < n; i += stride) sum += in[i];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) {
        scratch[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicAdd(&done, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    sum = 0;
    for (int k = threadIdx.x; k < gridDim.x; k += 512) sum += static_cast<volatile float*>(scratch)[k];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0) {
        out[0] = sum;
        done = 0;
    }
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    if (n == 0) {
        cudaMemsetAsync(out, 0, sizeof(float), 0);
        return;
    }
    const std::size_t wanted = (n - 1) / 512 + 1;
    add<<<int(wanted < 1056 ? wanted : 1056), 512>>>(in, scratch, out, n);
}
