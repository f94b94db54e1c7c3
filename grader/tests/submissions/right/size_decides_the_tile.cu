// stage: transpose/any_type
// if constexpr: elements of a byte or two go through tiles of 64, wide ones through tiles of 16 with a swizzle.
#include <cuda_runtime.h>

#include <cstddef>

template <typename T>
struct Layout {
    static constexpr int side = sizeof(T) <= 2 ? 64 : sizeof(T) <= 8 ? 32 : 16;
    static constexpr bool is_swizzled = sizeof(T) >= 8;
    static constexpr int pitch = is_swizzled ? side : side + (sizeof(T) < 4 ? 4 / int(sizeof(T)) : 1);
    __device__ static constexpr int at(int r, int c) {
        if constexpr (is_swizzled) return r * pitch + (c ^ r % side);
        else return r * pitch + c;
    }
};

template <typename T>
__global__ void laid_out(const T* in, T* out, int rows, int cols) {
    using L = Layout<T>;
    __shared__ alignas(16) unsigned char raw[L::side * L::pitch * sizeof(T)];
    T* const tile = reinterpret_cast<T*>(raw);
    const int across = (cols - 1) / L::side + 1;
    const int left = blockIdx.x % across * L::side, top = blockIdx.x / across * L::side;
    for (int k = threadIdx.x; k < L::side * L::side; k += blockDim.x) {
        const int r = k / L::side, c = k % L::side;
        if (top + r < rows && left + c < cols) tile[L::at(r, c)] = in[size_t(top + r) * cols + left + c];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < L::side * L::side; k += blockDim.x) {
        const int r = k % L::side, c = k / L::side;
        if (top + r < rows && left + c < cols) out[size_t(left + c) * rows + top + r] = tile[L::at(r, c)];
    }
}

template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    constexpr int side = Layout<T>::side;
    laid_out<T><<<((cols - 1) / side + 1) * ((rows - 1) / side + 1), 256>>>(in, out, rows, cols);
}
