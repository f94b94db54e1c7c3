// A program of three files and two headers: each .cu is a unit of its own for nvcc.
// exit: 3
#include <cstdio>
#include <vector>

#include "matrix.h"
#include "support/check.h"

int main() {
    const int rows = 37, cols = 53;
    std::vector<float> host(rows * cols);
    for (int i = 0; i < rows * cols; i++) host[i] = static_cast<float>(i % 11);
    Matrix a = upload(host.data(), rows, cols), b = transposed(a);
    std::vector<float> back(rows * cols);
    CHECK(cudaMemcpy(back.data(), b.values, bytes_of(b), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) wrong += back[x * rows + y] != host[y * cols + x];
    std::printf("%d x %d, %d wrong, sum %g\n", b.rows, b.cols, wrong, sum(b));
    release(a);
    release(b);
    CHECK(cudaErrorInvalidValue);
    return 0;
}
