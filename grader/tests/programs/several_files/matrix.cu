#include "matrix.h"

#include "support/check.h"

namespace {
constexpr int TILE = 16;

__global__ void transpose(const float *in, float *out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
}  // namespace

Matrix upload(const float *values, int rows, int cols) {
    Matrix m{rows, cols};
    CHECK(cudaMalloc(&m.values, bytes_of(m)));
    CHECK(cudaMemcpy(m.values, values, bytes_of(m), cudaMemcpyHostToDevice));
    return m;
}

Matrix transposed(const Matrix &m) {
    Matrix t{m.cols, m.rows};
    CHECK(cudaMalloc(&t.values, bytes_of(t)));
    dim3 block(TILE, TILE), grid((m.cols + TILE - 1) / TILE, (m.rows + TILE - 1) / TILE);
    transpose<<<grid, block>>>(m.values, t.values, m.rows, m.cols);
    CHECK(cudaGetLastError());
    return t;
}

void release(Matrix &m) {
    CHECK(cudaFree(m.values));
    m.values = nullptr;
}
