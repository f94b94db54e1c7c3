// stage: reduction/open
// A seqlock guards a pair of words; the reader tries again while the count is odd or has changed.
#include <cstddef>
#include <cuda/atomic>
#include <cuda_runtime.h>

using word = cuda::atomic<unsigned, cuda::thread_scope_device>;
__device__ unsigned sequence_word, low_word, high_word, done_word;

using reference = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__global__ void clear() { sequence_word = low_word = high_word = done_word = 0; }

__global__ void guarded(const float* in, size_t n, float* out) {
    reference sequence(sequence_word), low(low_word), high(high_word), done(done_word);
    double sum = 0;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += gridDim.x * size_t(blockDim.x)) sum += in[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x != 0) return;
    // Writers take turns: even -> odd by compare and swap.
    unsigned seen = sequence.load(cuda::std::memory_order_relaxed);
    for (;;) {
        if (seen & 1) {
            seen = sequence.load(cuda::std::memory_order_relaxed);
            continue;
        }
        if (sequence.compare_exchange_weak(seen, seen + 1, cuda::std::memory_order_acquire)) break;
    }
    cuda::atomic_thread_fence(cuda::std::memory_order_release, cuda::thread_scope_device);
    const double total = __hiloint2double(high.load(cuda::std::memory_order_relaxed), low.load(cuda::std::memory_order_relaxed)) + sum;
    low.store(__double2loint(total), cuda::std::memory_order_relaxed);
    high.store(__double2hiint(total), cuda::std::memory_order_relaxed);
    sequence.store(seen + 2, cuda::std::memory_order_release);
    if (done.fetch_add(1, cuda::std::memory_order_acq_rel) + 1 != gridDim.x) return;
    unsigned before, after, lo, hi;
    do {
        before = sequence.load(cuda::std::memory_order_acquire);
        lo = low.load(cuda::std::memory_order_relaxed);
        hi = high.load(cuda::std::memory_order_relaxed);
        cuda::atomic_thread_fence(cuda::std::memory_order_acquire, cuda::thread_scope_device);
        after = sequence.load(cuda::std::memory_order_relaxed);
    } while ((before & 1) != 0 || before != after);
    *out = static_cast<float>(__hiloint2double(hi, lo));
}

void reduce(const float* in, std::size_t n, float*, float* out) {
    clear<<<1, 1>>>();
    guarded<<<24, 32>>>(in, n, out);
}
