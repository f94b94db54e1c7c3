// stage: stencil/open
// A window of 5 x 5 elements in registers slides down a column: rows move up by an assignment of whole arrays.
#include <cuda_runtime.h>

#include <cstddef>

template <typename T, int N>
struct Row {
    T v[N];
};

template <int ROWS>
__global__ void slide(const float* __restrict__ in, const float* __restrict__ weights, float* __restrict__ out, int rows, int cols) {
    const int across = (cols + 63) / 64;
    const int x = blockIdx.x % across * 64 + threadIdx.x;
    const int first = (blockIdx.x / across * 4 + threadIdx.z) * ROWS;
    Row<float, 25> w;
#pragma unroll
    for (int k = 0; k < 25; ++k) w.v[k] = weights[k];
    const auto load = [=](int y) {
        Row<float, 5> row{};
        if (y >= 0 && y < rows)
#pragma unroll
            for (int c = 0; c < 5; ++c)
                if (x + c >= 2 && x + c < cols + 2) row.v[c] = in[size_t(y) * cols + x + c - 2];
        return row;
    };
    Row<Row<float, 5>, 5> window;
#pragma unroll
    for (int r = 0; r < 4; ++r) window.v[r + 1] = load(first + r - 2);
    if (x >= cols) return;
    for (int y = first; y < first + ROWS && y < rows; ++y) {
#pragma unroll
        for (int r = 0; r < 4; ++r) window.v[r] = window.v[r + 1];
        window.v[4] = load(y + 2);
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 25; ++k) sum = fmaf(w.v[k], window.v[k / 5].v[k % 5], sum);
        out[size_t(y) * cols + x] = sum;
    }
}

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    slide<16><<<((cols + 63) / 64) * ((rows + 63) / 64), dim3(64, 1, 4)>>>(in, weights, out, rows, cols);
}
