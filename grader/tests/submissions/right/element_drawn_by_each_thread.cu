// stage: transpose/open
// Each thread draws its own element from a counter, as simple as can be; the counter is cleared by a memset of a device symbol.
#include <cuda_runtime.h>

__device__ unsigned drawn_so_far;

__global__ void draw(const float* in, float* out, int rows, int cols) {
    const unsigned n = unsigned(rows) * unsigned(cols);
    unsigned i;
    while ((i = atomicAdd(&drawn_so_far, 1u)) < n) out[size_t(i % cols) * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    void* counter = nullptr;
    cudaGetSymbolAddress(&counter, drawn_so_far);
    cudaMemsetAsync(counter, 0, sizeof(unsigned));
    draw<<<16, 128>>>(in, out, rows, cols);
}
