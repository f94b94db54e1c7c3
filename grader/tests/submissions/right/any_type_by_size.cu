// stage: transpose/any_type
// The launcher forwards each type to a kernel for an unsigned type of the same size; the tile is raw bytes.
#include <cuda_runtime.h>

template <int Bytes> struct Carrier;
template <> struct Carrier<1> { using type = unsigned char; };
template <> struct Carrier<2> { using type = unsigned short; };
template <> struct Carrier<4> { using type = unsigned; };
template <> struct Carrier<8> { using type = unsigned long long; };
template <> struct Carrier<16> { using type = uint4; };

template <class T>
__global__ void carry(const T* in, T* out, int rows, int cols) {
    constexpr int pitch = 32 + (sizeof(T) < 4 ? 4 / sizeof(T) : 1);
    __shared__ __align__(16) unsigned char bytes[32 * pitch * sizeof(T)];
    T* tile = reinterpret_cast<T*>(bytes);
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (left + threadIdx.x < cols && top + j < rows)
            tile[j * pitch + threadIdx.x] = in[(top + j) * cols + left + threadIdx.x];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (top + threadIdx.x < rows && left + j < cols)
            out[(left + j) * rows + top + threadIdx.x] = tile[threadIdx.x * pitch + j];
}

template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    using U = typename Carrier<sizeof(T)>::type;
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0)
        carry<U><<<tiles, dim3(32, 8)>>>(reinterpret_cast<const U*>(in), reinterpret_cast<U*>(out), rows, cols);
}
