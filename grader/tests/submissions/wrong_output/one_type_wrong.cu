// stage: transpose/any_type
// says: wrong_output
// Bytes are handled as unsigned, four at a time, whatever the shape.
#include <cuda_runtime.h>

template <class T>
__global__ void scatter(const T* in, T* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool is_small = sizeof(T) == 1;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[is_small ? i / 4 * 4 : i];
}

template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) scatter<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
