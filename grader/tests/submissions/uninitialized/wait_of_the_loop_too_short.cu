// stage: reduction/open
// says: uninitialized
// The first stages are waited for as they should be; in the loop the wait lets one group too many be under way.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <cstddef>
__global__ void staged(const float* in, size_t n, float* out) {
    __shared__ float room[2][128];
    const size_t step = size_t(gridDim.x) * 128;
    size_t i = blockIdx.x * 128ull + threadIdx.x;
    float sum = 0;
    room[0][threadIdx.x] = room[1][threadIdx.x] = 0;
    if (i < n) __pipeline_memcpy_async(&room[0][threadIdx.x], in + i, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int k = 0; i < n; i += step, k ^= 1) {
        if (i + step < n) __pipeline_memcpy_async(&room[k ^ 1][threadIdx.x], in + i + step, 4);
        __pipeline_commit();
        __pipeline_wait_prior(2);
        sum += room[k][threadIdx.x];  // <--
    }
    for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(~0u, sum, d);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, sum);
}
void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, 4);
    staged<<<16, 128>>>(in, n, out);
}
