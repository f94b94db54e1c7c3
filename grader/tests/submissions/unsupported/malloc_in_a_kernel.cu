// stage: reduction/open
// says: unsupported
// Memory that a kernel asks for: a GPU has a heap for it, the virtual GPU has none.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void on_heap(const float* in, size_t n, float* out) {
    float* total = static_cast<float*>(malloc(sizeof(float)));
    *total = 0;
    for (size_t i = 0; i < n; ++i) *total += in[i];
    *out = *total;
    free(total);
}

void reduce(const float* in, size_t n, float*, float* out) { on_heap<<<1, 1>>>(in, n, out); }
