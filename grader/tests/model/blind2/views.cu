// Matrices as objects that know their rows and columns, and a tile as a template. CALLS: what finds an element is a
// function that is called, not inlined.
#include <cuda_runtime.h>

#ifndef CALLS
#define CALLS 0
#endif

#if CALLS
__device__ __noinline__ int index_of(int y, int x, int cols) { return y * cols + x; }
#else
__device__ __forceinline__ int index_of(int y, int x, int cols) { return y * cols + x; }
#endif

template <class Element>
struct Matrix {
    Element* elements;
    int rows, cols;
    __device__ bool has(int y, int x) const { return y < rows && x < cols; }
    __device__ Element& operator()(int y, int x) const { return elements[index_of(y, x, cols)]; }
};

template <int SIDE>
struct Tile {
    float elements[SIDE][SIDE + 1];
    __device__ void read(const Matrix<const float>& from, int y, int x) {
        if (from.has(y + threadIdx.y, x + threadIdx.x))
            elements[threadIdx.y][threadIdx.x] = from(y + threadIdx.y, x + threadIdx.x);
    }
    __device__ void write_turned(const Matrix<float>& to, int y, int x) const {
        if (to.has(y + threadIdx.y, x + threadIdx.x))
            to(y + threadIdx.y, x + threadIdx.x) = elements[threadIdx.x][threadIdx.y];
    }
};

template <int SIDE>
__global__ void by_views(Matrix<const float> in, Matrix<float> out) {
    __shared__ Tile<SIDE> tile;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    tile.read(in, top, left);
    __syncthreads();
    tile.write_turned(out, left, top);
}

void transpose(const float* in, float* out, int rows, int cols) {
    constexpr int side = 16;
    const dim3 grid((cols + side - 1) / side, (rows + side - 1) / side);
    by_views<side><<<grid, dim3(side, side)>>>({in, rows, cols}, {out, cols, rows});
}
