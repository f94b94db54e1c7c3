// stage: reduction/open
// says: wrong_output
// Sums as integers: exact on whole numbers, wrong on everything else.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void whole(const float* in, size_t n, int* out) {
    const size_t i = blockIdx.x * 128ull + threadIdx.x;
    const int sum = __reduce_add_sync(0xffffffff, i < n ? static_cast<int>(in[i]) : 0);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

__global__ void convert(float* out) { *out = static_cast<float>(*reinterpret_cast<int*>(out)); }

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    whole<<<n / 128 + 1, 128>>>(in, n, reinterpret_cast<int*>(out));
    convert<<<1, 1>>>(out);
}
