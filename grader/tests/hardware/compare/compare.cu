// What compare.py times and cannot reach from Python: the open stages' reference solutions, compiled as they are, a copy
// by float4, and CUB. run.sh builds it as a shared library. Everything goes to the default stream.
#include <cuda_runtime.h>

#include <cstddef>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

namespace transpose_open {
#include "../../../../solutions/transpose/8_open.cu"
}

namespace reduction_open {
#include "../../../../solutions/reduction/7_open.cu"
}

namespace scan_open {
#include "../../../../solutions/scan/5_open.cu"
}

namespace histogram_open {
#include "../../../../solutions/histogram/4_open.cu"
}

namespace matmul_naive {
#include "../../../../solutions/matmul/1_naive.cu"
}

namespace matmul_tile {
#include "../../../../solutions/matmul/2_tile.cu"
}

namespace matmul_register_tile {
#include "../../../../solutions/matmul/3_register_tile.cu"
}

namespace matmul_open {
#include "../../../../solutions/matmul/4_open.cu"
}

// One float4 a thread, blocks side by side: of all copies tried on an H200 the fastest (solutions/NOTES.md).
constexpr int COPY_THREADS = 256;

__global__ void copy_float4(const float* in, float* out, std::size_t n) {
    const std::size_t thread = static_cast<std::size_t>(blockIdx.x) * COPY_THREADS + threadIdx.x;
    const std::size_t quads = n / 4;
    if (thread < quads) reinterpret_cast<float4*>(out)[thread] = reinterpret_cast<const float4*>(in)[thread];
    if (thread < n % 4) out[quads * 4 + thread] = in[quads * 4 + thread];
}

extern "C" {

int open_transpose(const float* in, float* out, int rows, int cols) {
    transpose_open::transpose(in, out, rows, cols);
    return cudaPeekAtLastError();
}

int open_reduce(const float* in, std::size_t n, float* scratch, float* out) {
    reduction_open::reduce(in, n, scratch, out);
    return cudaPeekAtLastError();
}

// Both pointers aligned to 16 bytes.
int copy_by_float4(const float* in, float* out, std::size_t n) {
    const std::size_t blocks = (n / 4 + COPY_THREADS) / COPY_THREADS;
    copy_float4<<<static_cast<unsigned>(blocks), COPY_THREADS>>>(in, out, n);
    return cudaPeekAtLastError();
}

int copy_by_memcpy(const float* in, float* out, std::size_t n) {
    return cudaMemcpyAsync(out, in, n * sizeof(float), cudaMemcpyDeviceToDevice);
}

// With a null workspace only sets bytes to what the workspace needs.
int cub_sum(void* workspace, std::size_t* bytes, const float* in, float* out, std::size_t n) {
    return cub::DeviceReduce::Sum(workspace, *bytes, in, out, n);
}

int open_scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    scan_open::scan(in, out, scratch, n);
    return cudaPeekAtLastError();
}

int cub_scan(void* workspace, std::size_t* bytes, const unsigned* in, unsigned* out, int n) {
    return cub::DeviceScan::InclusiveSum(workspace, *bytes, in, out, n);
}

int open_histogram(const unsigned* in, unsigned* counts, int n) {
    histogram_open::histogram(in, counts, n);
    return cudaPeekAtLastError();
}

int matmul(int stage, const float* a, const float* b, float* c, int rows, int cols, int depth) {
    constexpr decltype(&matmul_open::matmul) stages[] = {matmul_naive::matmul, matmul_tile::matmul,
                                                         matmul_register_tile::matmul, matmul_open::matmul};
    stages[stage](a, b, c, rows, cols, depth);
    return cudaPeekAtLastError();
}

int cub_histogram(void* workspace, std::size_t* bytes, const unsigned* in, unsigned* counts, int n) {
    return cub::DeviceHistogram::HistogramEven(workspace, *bytes, in, counts, 257, 0u, 256u, n);
}
}
