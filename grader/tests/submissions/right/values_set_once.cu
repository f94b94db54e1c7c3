// stage: reduction/open
// What a host program asks once and keeps: static locals of the launcher that are no constants.
#include <cstddef>

#include <cuda_runtime.h>

constexpr int THREADS = 256;

__global__ void add_up(const float* in, std::size_t n, float* sums) {
    __shared__ float of_warp[THREADS / 32];
    float sum = 0;
    for (std::size_t i = blockIdx.x * static_cast<std::size_t>(THREADS) + threadIdx.x; i < n; i += gridDim.x * THREADS)
        sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int warp = 1; warp < THREADS / 32; ++warp) sum += of_warp[warp];
    sums[blockIdx.x] = sum;
}

static int multiprocessors() {
    static const int count = [] {
        int found = 0;
        cudaDeviceGetAttribute(&found, cudaDevAttrMultiProcessorCount, 0);
        return found;
    }();
    return count;
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    static const unsigned most = 8 * multiprocessors();
    static int calls = 0;
    ++calls;
    const std::size_t wanted = n == 0 ? 1 : (n - 1) / THREADS + 1;
    const unsigned blocks = wanted < most ? static_cast<unsigned>(wanted) : most;
    add_up<<<blocks, THREADS>>>(in, n, scratch);
    add_up<<<1, THREADS>>>(scratch, blocks, out);
}
