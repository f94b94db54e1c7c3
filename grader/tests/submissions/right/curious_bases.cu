// stage: transpose/coarsening
// CRTP: the base walks over a tile and asks the class derived from it, known when compiled, what to do with each element.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
constexpr int TILE = 32, HIGH = THREADS / TILE;

template <typename Derived>
struct Walk {
    int left, top, width, height;
    __device__ void run(int tx, int ty) const {
#pragma unroll
        for (int j = 0; j < TILE; j += HIGH)
            if (left + tx < width && top + ty + j < height) self().visit(ty + j, tx, size_t(top + ty + j) * width + left + tx);
    }
    __device__ const Derived& self() const { return static_cast<const Derived&>(*this); }
};

using Tile = float[TILE][TILE + 1];

struct Fill : Walk<Fill> {
    Tile& tile;
    const float* in;
    __device__ Fill(Tile& t, const float* from, int l, int tp, int w, int h) : Walk<Fill>{l, tp, w, h}, tile(t), in(from) {}
    __device__ void visit(int r, int c, size_t at) const { tile[r][c] = in[at]; }
};
struct Drain : Walk<Drain> {
    Tile& tile;
    float* out;
    __device__ Drain(Tile& t, float* to, int l, int tp, int w, int h) : Walk<Drain>{l, tp, w, h}, tile(t), out(to) {}
    __device__ void visit(int r, int c, size_t at) const { out[at] = tile[c][r]; }
};

__global__ void walked(const float* in, float* out, int rows, int cols) {
    __shared__ Tile tile;
    const int across = (cols - 1) / TILE + 1;
    const int left = blockIdx.x % across * TILE, top = blockIdx.x / across * TILE;
    const int tx = threadIdx.x % TILE, ty = threadIdx.x / TILE;
    Fill(tile, in, left, top, cols, rows).run(tx, ty);
    __syncthreads();
    Drain(tile, out, top, left, rows, cols).run(tx, ty);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    walked<<<((cols - 1) / TILE + 1) * ((rows - 1) / TILE + 1), THREADS>>>(in, out, rows, cols);
}
