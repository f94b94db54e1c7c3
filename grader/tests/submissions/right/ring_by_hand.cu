// stage: reduction/open
// A ring of four slots in shared memory with head and tail as volatile numbers: one warp puts rows of 32 elements in, another
// takes them out, ordered by block-wide fences alone.
#include <cuda_runtime.h>

constexpr unsigned kSlots = 4;

__global__ void ring(const float* in, size_t n, float* sums) {
    __shared__ float slots[kSlots][32];
    __shared__ volatile unsigned head, tail;
    const unsigned lane = threadIdx.x % 32;
    if (threadIdx.x == 0) head = tail = 0;
    __syncthreads();
    const size_t row = gridDim.x * size_t{32};
    const unsigned rows = static_cast<unsigned>((n + row - 1) / row);
    if (threadIdx.x < 32) {
        for (unsigned k = 0; k < rows; ++k) {
            if (lane == 0)
                while (k - tail >= kSlots) {
                }
            __syncwarp();
            __threadfence_block();
            const size_t i = k * row + blockIdx.x * size_t{32} + lane;
            slots[k % kSlots][lane] = i < n ? in[i] : 0.0f;
            __threadfence_block();
            __syncwarp();
            if (lane == 0) head = k + 1;
        }
    } else {
        float v = 0.0f;
        for (unsigned k = 0; k < rows; ++k) {
            if (lane == 0)
                while (head == k) {
                }
            __syncwarp();
            __threadfence_block();
            v += slots[k % kSlots][lane];
            __threadfence_block();
            __syncwarp();
            if (lane == 0) tail = k + 1;
        }
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
        if (lane == 0) sums[blockIdx.x] = v;
    }
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    ring<<<264, 64>>>(in, n, scratch);
    ring<<<1, 64>>>(scratch, 264, out);
}
