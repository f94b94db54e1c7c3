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
    const int col = blockIdx.x * tile + threadIdx.x;
    Four kept;
    float values[4] = {};
    for (int k = 0; k < 4; ++k)
        if (const int row = blockIdx.y * 4 + steps[k]; from.has(row, col)) values[k] = from(row, col);
    memcpy(&kept, values, sizeof kept);
    const float* again = &kept.a;
    for (int k = 0; k < 4; ++k) {
        const int row = blockIdx.y * 4 + steps[k];
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
    const int bands = (rows + 3) / 4, most = 65535;
    // The grid has a limit in y: several launches, each with a matrix that starts further down.
    for (int first = 0; first < bands; first += most) {
        const int here = bands - first < most ? bands - first : most;
        if (first == 0 && here == bands) {
            move<<<dim3((cols + 127) / 128, here), 128>>>(from, to, plan);
            return;
        }
        if (cols != 1) return;
        const int row = first * 4, count = rows - row < here * 4 ? rows - row : here * 4;
        const Matrix<const float> part{in + row, count, 1};
        const Matrix<float> part_to{out + row, 1, count};
        move<<<dim3(1, here), 128>>>(part, part_to, plan);
    }
}
