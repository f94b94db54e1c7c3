// stage: reduction/open
// The launcher asks the device for its properties and the occupancy, and sizes the grid by them.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void strided(const float* in, size_t n, float* scratch) {
    float sum = 0;
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    __shared__ float part[8];
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < 8; ++w) sum += part[w];
    scratch[blockIdx.x] = sum;
}
__global__ void finish(const float* scratch, int count, float* out) {
    float sum = 0;
    for (int i = threadIdx.x; i < count; i += 32) sum += scratch[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    cudaDeviceProp device;
    int blocks = 0, multiprocessors = 0, unknown = 77;
    if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) return;
    if (cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0) != cudaSuccess) return;
    if (cudaDeviceGetAttribute(&unknown, static_cast<cudaDeviceAttr>(9999), 0) == cudaSuccess || unknown != 77) return;
    cudaGetLastError();
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, strided, 256, 0);
    const bool is_plausible = blocks == device.maxThreadsPerMultiProcessor / 256 && device.maxGridSize[0] > 65535 &&
                              device.maxThreadsDim[2] == 64 && device.regsPerBlock == 65536 && device.major >= 7 &&
                              device.multiProcessorCount == multiprocessors && device.l2CacheSize > 0;
    if (!is_plausible) return;
    const int grid = min(blocks * multiprocessors, 4096);
    strided<<<grid, 256>>>(in, n, scratch);
    finish<<<1, 32>>>(scratch, grid, out);
}
