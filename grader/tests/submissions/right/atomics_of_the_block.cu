// stage: histogram/open
// cuda::atomic objects of the block's scope in shared memory, and atomic_ref of the device's scope for what is handed out.
#include <cuda/atomic>
#include <cuda_runtime.h>

#include <new>

using Bin = cuda::atomic<unsigned, cuda::thread_scope_block>;

__global__ void with_objects(const unsigned* in, unsigned* counts, int n) {
    __shared__ alignas(Bin) unsigned char room[256 * sizeof(Bin)];
    Bin* const bins = reinterpret_cast<Bin*>(room);
    new (bins + threadIdx.x) Bin(0u);
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) bins[in[i]].fetch_add(1, cuda::memory_order_relaxed);
    __syncthreads();
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> to(counts[threadIdx.x]);
    to.fetch_add(bins[threadIdx.x].load(cuda::memory_order_relaxed), cuda::memory_order_relaxed);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 256 * sizeof(unsigned), 0);
    if (n > 0) with_objects<<<12, 256>>>(in, counts, n);
}
