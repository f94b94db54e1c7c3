// A sparse matrix times a vector, in the CSR format, one warp a row.
#include <cstdio>
#include <vector>

struct Csr {
    std::vector<int> offsets{0}, columns;
    std::vector<double> values;
};

__global__ void spmv(int rows, const int *offsets, const int *columns, const double *values, const double *x, double *y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
    if (row >= rows) return;
    double sum = 0;
    for (int i = offsets[row] + lane; i < offsets[row + 1]; i += warpSize) sum += values[i] * x[columns[i]];
    for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0) y[row] = sum;
}

template <class T> T *toDevice(const std::vector<T> &host) {
    T *device = nullptr;
    cudaMalloc(&device, host.size() * sizeof(T));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

int main() {
    const int rows = 60;
    Csr m;
    for (int r = 0; r < rows; ++r) {
        for (int c = r % 4; c < rows; c += 1 + r % 7) {
            m.columns.push_back(c);
            m.values.push_back(r + 0.5 * c);
        }
        m.offsets.push_back((int)m.columns.size());
    }
    std::vector<double> x(rows), y(rows);
    for (int i = 0; i < rows; ++i) x[i] = i % 2 ? 1 : -1;
    int *offsets = toDevice(m.offsets), *columns = toDevice(m.columns);
    double *values = toDevice(m.values), *dx = toDevice(x), *dy = toDevice(y);
    spmv<<<(rows * 32 + 127) / 128, 128>>>(rows, offsets, columns, values, dx, dy);
    cudaMemcpy(y.data(), dy, rows * sizeof(double), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (int i = m.offsets[r]; i < m.offsets[r + 1]; ++i) sum += m.values[i] * x[m.columns[i]];
        wrong += sum != y[r];
    }
    printf("%zu values in %d rows, y[7] = %g, %d wrong\n", m.values.size(), rows, y[7], wrong);
    cudaFree(offsets);
    cudaFree(columns);
    cudaFree(values);
    cudaFree(dx);
    cudaFree(dy);
    return wrong;
}
