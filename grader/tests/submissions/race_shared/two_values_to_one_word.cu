// stage: reduction/open
// says: race_shared
// All lanes store their own sum to one word, hoping that lane 0 comes last.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void all_store(const float* in, size_t n, float* out) {
    __shared__ float of_warp[4];
    const size_t i = blockIdx.x * 128ull + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    of_warp[threadIdx.x / 32] = sum;  // <--
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, of_warp[0] + of_warp[1] + of_warp[2] + of_warp[3]);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    all_store<<<n / 128 + 1, 128>>>(in, n, out);
}
