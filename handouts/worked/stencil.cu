// Three points in one dimension: each thread adds its element and both neighbours, from a tile with a halo of one.
// See it move: ./grader/warpgrade explain --page handouts/worked/stencil.cu
#include <cstdio>

#include <cuda_runtime.h>

constexpr int COUNT = 128, THREADS = 32;

__global__ void three_points(const float* in, float* out) {
    __shared__ float tile[THREADS + 2];
    const int first = blockIdx.x * THREADS, i = first + threadIdx.x;
    for (int k = threadIdx.x; k < THREADS + 2; k += THREADS) {
        const int at = first + k - 1;
        tile[k] = at >= 0 && at < COUNT ? in[at] : 0;
    }
    __syncthreads();
    out[i] = tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];
}

int main() {
    float host[COUNT], sums[COUNT], *in, *out;
    for (int i = 0; i < COUNT; ++i) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof sums);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    three_points<<<COUNT / THREADS, THREADS>>>(in, out);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    printf("%g %g ... %g\n", sums[0], sums[1], sums[COUNT - 1]);
    cudaFree(in);
    cudaFree(out);
}
