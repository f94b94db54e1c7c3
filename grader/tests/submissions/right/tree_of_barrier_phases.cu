// stage: reduction/open
// Each level of the tree is a phase of a cuda::barrier, whose function at its end halves how many add next.
#include <cuda/barrier>
#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;

struct Halve {
    int* left;
    __device__ void operator()() noexcept { *left /= 2; }
};
using Phases = cuda::barrier<cuda::thread_scope_block, Halve>;

__global__ void tree(const float* in, size_t n, float* out) {
    __shared__ alignas(Phases) unsigned char room[sizeof(Phases)];
    __shared__ float part[THREADS];
    __shared__ int left;
    Phases* const phases = reinterpret_cast<Phases*>(room);
    const int t = threadIdx.x;
    if (t == 0) {
        left = THREADS;
        new (phases) Phases(THREADS, Halve{&left});
    }
    float sum = 0;
    for (size_t i = size_t(blockIdx.x) * THREADS + t; i < n; i += size_t(gridDim.x) * THREADS) sum += in[i];
    part[t] = sum;
    __syncthreads();
    for (;;) {
        phases->arrive_and_wait();
        const int now = left;
        if (now == 0) break;
        if (t < now) part[t] += part[t + now];
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    const int blocks = n < 512 * THREADS ? int((n + THREADS - 1) / THREADS) + 1 : 512;
    tree<<<blocks, THREADS>>>(in, n, scratch);
    tree<<<1, THREADS>>>(scratch, blocks, out);
}
