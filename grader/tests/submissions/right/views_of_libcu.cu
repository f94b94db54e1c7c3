// stage: transpose/padding
// cuda::std::mdspan over the matrices and over the tile, with a padded layout of its own strides.
#include <cuda/std/array>
#include <cuda/std/mdspan>
#include <cuda_runtime.h>

template <class T>
using Matrix = cuda::std::mdspan<T, cuda::std::dextents<size_t, 2>>;

__global__ void through_views(const float* in, float* out, int rows, int cols) {
    __shared__ float cells[32 * 33];
    const Matrix<const float> from(in, rows, cols);
    const Matrix<float> to(out, cols, rows);
    using Extents = cuda::std::extents<int, 32, 32>;
    const cuda::std::layout_stride::mapping<Extents> padded(Extents{}, cuda::std::array<int, 2>{33, 1});
    const cuda::std::mdspan<float, Extents, cuda::std::layout_stride> tile(cells, padded);
    const unsigned across = (cols + 31) / 32;
    const size_t left = blockIdx.x % across * 32u, top = blockIdx.x / across * 32u;
    if (top + threadIdx.y < from.extent(0) && left + threadIdx.x < from.extent(1))
        tile(threadIdx.y, threadIdx.x) = from(top + threadIdx.y, left + threadIdx.x);
    __syncthreads();
    if (left + threadIdx.y < to.extent(0) && top + threadIdx.x < to.extent(1))
        to(left + threadIdx.y, top + threadIdx.x) = tile(threadIdx.x, threadIdx.y);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    through_views<<<((rows + 31) / 32) * ((cols + 31) / 32), dim3(32, 32)>>>(in, out, rows, cols);
}
