// Kernels whose counters on an H200 are known (counters.csv), for hardware_counters_test. To compile again:
//   nvcc -std=c++17 -arch=compute_90 -lineinfo -ptx -o counter_kernels.ptx counter_kernels.cu
#include <cstddef>

__global__ void copy4(const float4* in, float4* out, std::size_t n) {
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x) out[i] = in[i];
}
__global__ void copy1(const float* in, float* out, std::size_t n) {
    const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    if (i < n) out[i] = in[i];
}

// One element a thread; x walks along a row of the input (read) or of the output (write).
template <int B>
__global__ void naive_read(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows) out[std::size_t(x) * rows + y] = in[std::size_t(y) * cols + x];
}
template <int B>
__global__ void naive_write(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < rows && y < cols) out[std::size_t(y) * rows + x] = in[std::size_t(x) * cols + y];
}

// B x B tile with P words of padding a row, R rows of threads.
template <int B, int R, int P>
__device__ void tile_transpose(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[B][B + P];
    int x = blockIdx.x * B + threadIdx.x, y = blockIdx.y * B + threadIdx.y;
    for (int j = 0; j < B; j += R)
        if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[std::size_t(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * B + threadIdx.x;
    y = blockIdx.x * B + threadIdx.y;
    for (int j = 0; j < B; j += R)
        if (x < rows && y + j < cols) out[std::size_t(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
template <int B, int P>
__global__ void smem(const float* in, float* out, int rows, int cols) { tile_transpose<B, B, P>(in, out, rows, cols); }
template <int B, int R, int P>
__global__ void coarse(const float* in, float* out, int rows, int cols) { tile_transpose<B, R, P>(in, out, rows, cols); }

// 64 x 64 tile, 256 threads, float4 on both sides; extents are multiples of 64.
__global__ void vec4(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[64][65];
    const unsigned c = 4 * (threadIdx.x % 16), r = threadIdx.x / 16;
    for (int j = 0; j < 64; j += 16) {
        const float4 v = *reinterpret_cast<const float4*>(in + std::size_t(blockIdx.y * 64 + r + j) * cols + blockIdx.x * 64 + c);
        tile[r + j][c] = v.x;
        tile[r + j][c + 1] = v.y;
        tile[r + j][c + 2] = v.z;
        tile[r + j][c + 3] = v.w;
    }
    __syncthreads();
    for (int j = 0; j < 64; j += 16) {
        reinterpret_cast<float4*>(out)[std::size_t(blockIdx.x * 64 + r + j) * (rows / 4) + blockIdx.y * 16 + c / 4] =
            make_float4(tile[c][r + j], tile[c + 1][r + j], tile[c + 2][r + j], tile[c + 3][r + j]);
    }
}

// The reduction ladder, first pass, 256 threads.
__global__ void r0(const float* in, float* out, std::size_t n) {
    __shared__ float s[256];
    const std::size_t i = blockIdx.x * std::size_t(256) + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned d = 1; d < 256; d *= 2) {
        if (threadIdx.x % (2 * d) == 0) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__global__ void r1(const float* in, float* out, std::size_t n) {
    __shared__ float s[256];
    const std::size_t i = blockIdx.x * std::size_t(256) + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned d = 1; d < 256; d *= 2) {
        const unsigned k = 2 * d * threadIdx.x;
        if (k < 256) s[k] += s[k + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__global__ void r2(const float* in, float* out, std::size_t n) {
    __shared__ float s[256];
    const std::size_t i = blockIdx.x * std::size_t(256) + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__global__ void r3(const float* in, float* out, std::size_t n) {
    __shared__ float s[256];
    const std::size_t i = blockIdx.x * std::size_t(512) + threadIdx.x;
    float v = i < n ? in[i] : 0.0f;
    if (i + 256 < n) v += in[i + 256];
    s[threadIdx.x] = v;
    __syncthreads();
    for (unsigned d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
// The tree down to 64 values, then one warp.
__device__ void finish(float* s, float* out) {
    __syncthreads();
    for (unsigned d = 128; d > 32; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        float v = s[threadIdx.x] + s[threadIdx.x + 32];
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xFFFFFFFFu, v, d);
        if (threadIdx.x == 0) out[blockIdx.x] = v;
    }
}
__global__ void r4(const float* in, float* out, std::size_t n) {
    __shared__ float s[256];
    const std::size_t i = blockIdx.x * std::size_t(512) + threadIdx.x;
    float v = i < n ? in[i] : 0.0f;
    if (i + 256 < n) v += in[i + 256];
    s[threadIdx.x] = v;
    finish(s, out);
}
__global__ void r5(const float* in, float* out, std::size_t n) {
    __shared__ float s[256];
    float v = 0.0f;
    for (std::size_t i = blockIdx.x * std::size_t(256) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * 256) v += in[i];
    s[threadIdx.x] = v;
    finish(s, out);
}
__global__ void r6(const float* in, float* out, std::size_t n) {
    __shared__ float s[256];
    const float4* in4 = reinterpret_cast<const float4*>(in);
    float v = 0.0f;
    for (std::size_t i = blockIdx.x * std::size_t(256) + threadIdx.x; i < n / 4; i += std::size_t(gridDim.x) * 256) {
        const float4 q = in4[i];
        v += q.x + q.y + q.z + q.w;
    }
    s[threadIdx.x] = v;
    finish(s, out);
}

template __global__ void naive_read<8>(const float*, float*, int, int);
template __global__ void naive_read<16>(const float*, float*, int, int);
template __global__ void naive_read<32>(const float*, float*, int, int);
template __global__ void naive_write<16>(const float*, float*, int, int);
template __global__ void naive_write<32>(const float*, float*, int, int);
template __global__ void smem<16, 0>(const float*, float*, int, int);
template __global__ void smem<16, 1>(const float*, float*, int, int);
template __global__ void smem<32, 0>(const float*, float*, int, int);
template __global__ void smem<32, 1>(const float*, float*, int, int);
template __global__ void coarse<32, 8, 0>(const float*, float*, int, int);
template __global__ void coarse<32, 8, 1>(const float*, float*, int, int);
template __global__ void coarse<32, 2, 1>(const float*, float*, int, int);
template __global__ void coarse<64, 8, 1>(const float*, float*, int, int);
template __global__ void coarse<64, 16, 1>(const float*, float*, int, int);
