// stage: reduction/open
// cuda::ptx: mbarrier_init, cp_async_bulk, arrive with expected bytes and try_wait, as the library spells the instructions.
#include <cuda/ptx>
#include <cuda_runtime.h>

namespace ptx = cuda::ptx;
constexpr unsigned kChunk = 1024;

__global__ void chunks(const float* in, size_t n, float* sums) {
    __shared__ alignas(128) float buffer[kChunk];
    __shared__ alignas(8) unsigned long long bar;
    __shared__ float warps[4];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(reinterpret_cast<cuda::std::uint64_t*>(&bar), 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    float sum = 0.0f;
    unsigned phase = 0;
    for (size_t first = blockIdx.x * size_t{kChunk}; first < n; first += gridDim.x * size_t{kChunk}) {
        if (first + kChunk <= n) {
            auto* const b = reinterpret_cast<cuda::std::uint64_t*>(&bar);
            if (threadIdx.x == 0) {
                ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, buffer, in + first, kChunk * 4, b);
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, b, kChunk * 4);
            }
            while (!ptx::mbarrier_try_wait_parity(b, phase & 1)) {
            }
            ++phase;
            for (unsigned i = threadIdx.x; i < kChunk; i += blockDim.x) sum += buffer[i];
            __syncthreads();
        } else {
            for (size_t i = first + threadIdx.x; i < n; i += blockDim.x) sum += in[i];
        }
    }
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) sums[blockIdx.x] = warps[0] + warps[1] + warps[2] + warps[3];
}

__global__ void plain(const float* in, size_t n, float* sums) {
    float sum = 0.0f;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    const bool is_aligned = reinterpret_cast<size_t>(in) % 16 == 0;
    if (is_aligned)
        chunks<<<256, 128>>>(in, n, scratch);
    else
        plain<<<256, 32>>>(in, n, scratch);
    plain<<<1, 32>>>(scratch, 256, out);
}
