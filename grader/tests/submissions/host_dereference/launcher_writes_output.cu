// stage: reduction/open
// says: host_dereference
// out[0] is set to zero by an assignment in the launcher.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void add(const float* in, size_t n, float* out) {
    const size_t i = blockIdx.x * 128ull + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    out[0] = 0.0f;  // <--
    add<<<n / 128 + 1, 128>>>(in, n, out);
}
