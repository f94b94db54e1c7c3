// stage: transpose/any_type
// says: misaligned
// A row of ldmatrix starts at a multiple of 16 bytes; these are 18 apart.
#include <cuda_runtime.h>

#include <cstdint>

template <typename T>
__global__ void plain(const T* in, T* out, int rows, int cols) {
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < size_t(rows) * cols; i += gridDim.x * 256ull)
        out[i % cols * rows + i / cols] = in[i];
}

__global__ void turn(const uint16_t* in, uint16_t* out, int rows, int cols) {
    __shared__ __align__(16) uint16_t tile[8][9];
    const int lane = threadIdx.x, left = blockIdx.x * 8;
    for (int top = blockIdx.y * 8; top < rows; top += gridDim.y * 8) {
        for (int i = lane; i < 64; i += 32) {
            const bool is_inside = top + i / 8 < rows && left + i % 8 < cols;
            const uint16_t value = is_inside ? in[size_t(top + i / 8) * cols + left + i % 8] : 0;
            tile[i / 8][i % 8] = value;
        }
        __syncwarp();
        unsigned two;
        const auto row = static_cast<unsigned>(__cvta_generic_to_shared(tile[lane % 8]));
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(two) : "r"(row) : "memory");  // <--
        const int x = left + lane / 4, y = top + lane % 4 * 2;
        if (x < cols && y < rows) out[size_t(x) * rows + y] = static_cast<uint16_t>(two);
        if (x < cols && y + 1 < rows) out[size_t(x) * rows + y + 1] = static_cast<uint16_t>(two >> 16);
        __syncwarp();
    }
}

template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    if constexpr (sizeof(T) == 2)
        turn<<<dim3((cols + 7) / 8, min(65535, (rows + 7) / 8)), 32>>>(reinterpret_cast<const uint16_t*>(in),
                                                                       reinterpret_cast<uint16_t*>(out), rows, cols);
    else
        plain<<<256, 256>>>(in, out, rows, cols);
}
