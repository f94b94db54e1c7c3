// stage: reduction/open
// What the launcher asks the device for is kept in static variables, by functions of its own.
#include <cstddef>

#include <cuda_runtime.h>

struct Device {
    int multiprocessors = 0;
    int threads = 0;
    size_t shared_bytes = 0;
};

static const Device& this_device() {
    static Device device;
    static bool is_known = false;
    if (!is_known) {
        static cudaDeviceProp properties;
        cudaGetDeviceProperties(&properties, 0);
        device.multiprocessors = properties.multiProcessorCount;
        device.shared_bytes = properties.sharedMemPerBlock;
        cudaDeviceGetAttribute(&device.threads, cudaDevAttrMaxThreadsPerBlock, 0);
        is_known = true;
    }
    return device;
}

__global__ void sums_of_blocks(const float* in, size_t n, float* sums) {
    extern __shared__ float part[];
    float sum = 0;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) sum += in[i];
    part[threadIdx.x] = sum;
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    const Device& device = this_device();
    const int threads = device.threads / 2;
    const size_t bytes = threads * sizeof(float);
    if (bytes > device.shared_bytes) return;
    static int resident = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, sums_of_blocks, threads, bytes);
    const int blocks = device.multiprocessors * resident / 4;
    sums_of_blocks<<<blocks, threads, bytes>>>(in, n, scratch);
    sums_of_blocks<<<1, threads, bytes>>>(scratch, blocks, out);
}
