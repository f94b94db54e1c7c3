#pragma once
#include <cstddef>

struct Matrix {
    int rows = 0, cols = 0;
    float *values = nullptr;  // of the GPU
};
inline std::size_t bytes_of(const Matrix &m) { return sizeof(float) * m.rows * m.cols; }

Matrix upload(const float *values, int rows, int cols);
Matrix transposed(const Matrix &m);
float sum(const Matrix &m);
void release(Matrix &m);
