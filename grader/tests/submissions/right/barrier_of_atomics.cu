// stage: reduction/open
// A sense-reversing barrier for the warps of a block, made of an atomic counter and a flag in shared memory, in the place
// of every __syncthreads() but the first.
#include <cuda_runtime.h>

constexpr int kWarps = 8;

struct Meeting {
    unsigned here;
    volatile unsigned sense;
};

__device__ void meet(Meeting& m, unsigned& sense) {
    __syncwarp();
    sense ^= 1u;
    if (threadIdx.x % 32 == 0) {
        __threadfence_block();
        if (atomicAdd(&m.here, 1u) == kWarps - 1) {
            m.here = 0;
            __threadfence_block();
            m.sense = sense;
        } else {
            while (m.sense != sense) {
            }
        }
        __threadfence_block();
    }
    __syncwarp();
}

__global__ void __launch_bounds__(32 * kWarps) tree(const float* in, size_t n, float* sums) {
    __shared__ Meeting meeting;
    __shared__ float s[32 * kWarps];
    if (threadIdx.x == 0) {
        meeting.here = 0;
        meeting.sense = 0;
    }
    __syncthreads();
    unsigned sense = 0;
    float v = 0.0f;
    for (size_t i = blockIdx.x * size_t{32 * kWarps} + threadIdx.x; i < n; i += gridDim.x * size_t{32 * kWarps}) v += in[i];
    s[threadIdx.x] = v;
    for (int d = 16 * kWarps; d > 0; d /= 2) {
        meet(meeting, sense);
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = s[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    tree<<<132, 256>>>(in, n, scratch);
    tree<<<1, 256>>>(scratch, 132, out);
}
