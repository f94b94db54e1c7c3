#include <cuda_runtime.h>
#include <cstddef>

#define WARP_SIZE 32
#define NB 256

__global__ void histo(const unsigned int* buffer, unsigned int* counts, int n) {
    __shared__ unsigned int temp[NB];
    for (int b = threadIdx.x; b < NB; b += blockDim.x) temp[b] = 0;
    __syncthreads();
    size_t i = threadIdx.x + (size_t)blockIdx.x * blockDim.x;
    size_t offset = (size_t)blockDim.x * gridDim.x;
    while (i < n) {
        atomicAdd(&temp[buffer[i]], 1);
        i += offset;
    }
    __syncthreads();
    for (int b = threadIdx.x; b < NB; b += WARP_SIZE) atomicAdd(&counts[b], temp[b]);
}

void histogram(const unsigned int* in, unsigned int* counts, int n) {
    cudaMemset(counts, 0, NB * sizeof(unsigned int));
    if (n == 0) return;
    int g = (n + 8191) / 8192;
    histo<<<g < 1056 ? g : 1056, 128>>>(in, counts, n);
}
