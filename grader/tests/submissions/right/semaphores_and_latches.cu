// stage: reduction/open
// libcu++ in shared memory: a latch for the warps that come, a semaphore of one that guards the total.
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda_runtime.h>

#include <cstddef>

using Latch = cuda::latch<cuda::thread_scope_block>;
using Semaphore = cuda::binary_semaphore<cuda::thread_scope_block>;

__global__ void guarded(const float* in, size_t n, float* out) {
    __shared__ alignas(Latch) unsigned char latch_room[sizeof(Latch)];
    __shared__ alignas(Semaphore) unsigned char semaphore_room[sizeof(Semaphore)];
    __shared__ float total;
    Latch& latch = *reinterpret_cast<Latch*>(latch_room);
    Semaphore& semaphore = *reinterpret_cast<Semaphore*>(semaphore_room);
    if (threadIdx.x == 0) {
        new (&latch) Latch(4);
        new (&semaphore) Semaphore(1);
        total = 0;
    }
    __syncthreads();
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 128) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) {
        semaphore.acquire();
        total += sum;
        semaphore.release();
        latch.count_down();
    }
    if (threadIdx.x == 127) {
        latch.wait();
        *out = total;
    }
}

void reduce(const float* in, size_t n, float*, float* out) { guarded<<<1, 128>>>(in, n, out); }
