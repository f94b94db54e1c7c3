// stage: histogram/open
// Open addressing in shared memory: a thread takes a place for its value by atomicCAS and counts there.
#include <cuda_runtime.h>

constexpr unsigned kPlaces = 512, kNobody = 0xffffffffu;

__global__ void hashed(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned keys[kPlaces], count[kPlaces];
    for (unsigned p = threadIdx.x; p < kPlaces; p += blockDim.x) {
        keys[p] = kNobody;
        count[p] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const unsigned v = in[i];
        for (unsigned p = v * 2654435761u >> 23;; p = (p + 1) % kPlaces) {
            const unsigned owner = atomicCAS(&keys[p], kNobody, v);
            if (owner != kNobody && owner != v) continue;
            atomicAdd(&count[p], 1u);
            break;
        }
    }
    __syncthreads();
    for (unsigned p = threadIdx.x; p < kPlaces; p += blockDim.x)
        if (keys[p] != kNobody) atomicAdd(&counts[keys[p]], count[p]);
}

void histogram(const unsigned int* in, unsigned int* counts, int n) {
    cudaMemset(counts, 0, 256 * sizeof(unsigned));
    if (n > 0) hashed<<<n / 2048 + 1, 256>>>(in, counts, n);
}
