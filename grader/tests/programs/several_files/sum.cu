#include "matrix.h"
#include "support/check.h"

__global__ void add_up(const float *in, float *total, int n) {
    float part = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) part += in[i];
    atomicAdd(total, part);
}

float sum(const Matrix &m) {
    float *d_total, total;
    CHECK(cudaMalloc(&d_total, sizeof(float)));
    CHECK(cudaMemset(d_total, 0, sizeof(float)));
    add_up<<<1, 128>>>(m.values, d_total, m.rows * m.cols);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&total, d_total, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_total));
    return total;
}
