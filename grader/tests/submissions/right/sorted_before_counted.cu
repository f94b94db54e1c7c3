// stage: histogram/open
// A bitonic network sorts 512 elements of a block; where a value differs from the one before, a run begins.
#include <cuda_runtime.h>

constexpr int SIZE = 512;

__global__ void sort_and_count(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned short key[SIZE];
    for (int first = blockIdx.x * SIZE; first < n; first += gridDim.x * SIZE) {
        for (int t = threadIdx.x; t < SIZE; t += SIZE / 2) key[t] = first + t < n ? in[first + t] : 0xffff;
        for (int k = 2; k <= SIZE; k *= 2)
            for (int j = k / 2; j > 0; j /= 2) {
                __syncthreads();
                const int low = threadIdx.x / j * 2 * j + threadIdx.x % j, high = low + j;
                const unsigned short a = key[low], b = key[high];
                if ((a > b) == ((low & k) == 0)) {
                    key[low] = b;
                    key[high] = a;
                }
            }
        __syncthreads();
        for (int t = threadIdx.x; t < SIZE; t += SIZE / 2) {
            const unsigned short value = key[t];
            if (value == 0xffff || (t > 0 && key[t - 1] == value)) continue;
            int lo = t, hi = SIZE;  // the run ends between them
            while (hi - lo > 1) {
                const int middle = (lo + hi) / 2;
                (key[middle] == value ? lo : hi) = middle;
            }
            atomicAdd(counts + value, unsigned(hi - t));
        }
        __syncthreads();
    }
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 256 * sizeof(unsigned));
    if (n > 0) sort_and_count<<<min(200, (n + SIZE - 1) / SIZE), SIZE / 2>>>(in, counts, n);
}
