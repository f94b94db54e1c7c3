// stage: transpose/open
// Places by division and remainder of 128 bits: the library's code asks with addc what subc.cc has left.
#include <cuda_runtime.h>

__global__ void by_division(const float* in, float* out, int rows, int cols) {
    const unsigned __int128 far = static_cast<unsigned __int128>(0x123456789abcdefull) << 40;
    const long long n = static_cast<long long>(rows) * cols, step = static_cast<long long>(gridDim.x) * blockDim.x;
    for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        // i again, from numbers of more than 64 bits of both signs.
        const unsigned __int128 wide = far * cols + i;
        const __int128 negative = -static_cast<__int128>(wide);
        const int y = static_cast<int>(static_cast<unsigned long long>(wide / cols - far));
        const int x = -static_cast<int>(static_cast<long long>(negative % cols));
        out[static_cast<long long>(x) * rows + y] = in[static_cast<long long>(y) * cols + x];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) by_division<<<128, 128>>>(in, out, rows, cols);
}
