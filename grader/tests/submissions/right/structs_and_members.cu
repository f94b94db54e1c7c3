// stage: transpose/open
// Everything in structs: a matrix with operator(), a kernel that takes two of them and a table by value.
#include <cstring>

#include <cuda_runtime.h>

template <class T>
struct Matrix {
    T* data;
    int rows, cols;
    __host__ __device__ bool has(int row, int col) const { return row < rows && col < cols; }
    __device__ T& operator()(int row, int col) const { return data[static_cast<std::size_t>(row) * cols + col]; }
};

struct Plan {
    int steps[4];
    short tile;
    bool is_turned;
};

struct Four {
    float a, b, c, d;
};

__global__ void __launch_bounds__(128) move(const Matrix<const float> from, const Matrix<float> to, const Plan plan) {
    const auto [steps, tile, is_turned] = plan;
    const int col = blockIdx.y * tile + threadIdx.x;
    Four kept;
    float values[4] = {};
    for (int k = 0; k < 4; ++k)
        if (const int row = blockIdx.x * 4 + steps[k]; from.has(row, col)) values[k] = from(row, col);
    memcpy(&kept, values, sizeof kept);
    const float* again = &kept.a;
    for (int k = 0; k < 4; ++k) {
        const int row = blockIdx.x * 4 + steps[k];
        if (!from.has(row, col)) continue;
        if (is_turned) to(col, row) = again[k];
        else to(row, col) = again[k];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const Matrix<const float> from{in, rows, cols};
    const Matrix<float> to{out, cols, rows};
    Plan plan{{2, 0, 3, 1}, 128, true};
    // The grid has a limit in y that rows may exceed.
    move<<<dim3((rows + 3) / 4, (cols + 127) / 128), 128>>>(from, to, plan);
}
