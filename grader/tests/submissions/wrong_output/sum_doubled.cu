// stage: reduction/first_add
// says: wrong_output doubled
// Two elements a thread, but as many blocks as for one: the second half of the blocks starts half-way again.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void twice(const float* in, size_t n, float* sums) {
    __shared__ float partial[256];
    const int tid = threadIdx.x;
    const size_t i = blockIdx.x * 256ull + tid, j = i + 256;
    const size_t after = i + 256 < size_t(gridDim.x) * 256 ? j : tid;
    partial[tid] = (i < n ? in[i] : 0.0f) + (after < n ? in[after] : 0.0f);
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0) sums[blockIdx.x] = partial[0];
}

__global__ void add_up(const float* sums, size_t n, float* out) {
    float sum = 0;
    for (size_t i = 0; i < n; ++i) sum += sums[i];
    *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    const size_t blocks = (n + 255) / 256;
    if (blocks != 0) twice<<<blocks, 256>>>(in, n, scratch);
    add_up<<<1, 1>>>(scratch, blocks, out);
}
