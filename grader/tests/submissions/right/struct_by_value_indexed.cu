// stage: transpose/open
// A structure by value, of which a function that is called takes and changes an element: its parameter has an address.
#include <cuda_runtime.h>

struct Places {
    int of[4];
};

__device__ __noinline__ int chosen(Places places, int which, int depth) {
    places.of[which % 4] += 1;
    if (depth > 0) return chosen(places, which, depth - 1);
    return places.of[which % 4];
}

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= static_cast<long long>(rows) * cols) return;
    const int x = static_cast<int>(i % cols), y = static_cast<int>(i / cols);
    const Places places{{y - 2, y - 1, y, y + 1}};  // chosen twice: one more each time
    const int row = chosen(places, x, 1) - x % 4;
    out[static_cast<size_t>(x) * rows + row] = in[static_cast<size_t>(row) * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const long long n = static_cast<long long>(rows) * cols;
    if (n > 0) naive<<<static_cast<unsigned>((n + 255) / 256), 256>>>(in, out, rows, cols);
}
