// One step of a tree: 64 numbers become 32 sums of two neighbours. Look at line 15: lanes are two words apart.
// See it move: ./grader/warpgrade explain --page handouts/worked/reduction.cu
#include <cstdio>

#include <cuda_runtime.h>

constexpr int COUNT = 64;

__global__ void add_pairs(const float* in, float* out) {
    __shared__ float part[COUNT];
    const int tid = threadIdx.x;
    part[tid] = in[tid];
    __syncthreads();

    if (tid < COUNT / 2) out[tid] = part[2 * tid] + part[2 * tid + 1];
}

int main() {
    float host[COUNT], sums[COUNT / 2], *in, *out;
    for (int i = 0; i < COUNT; ++i) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof sums);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    add_pairs<<<1, COUNT>>>(in, out);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    printf("%g %g ... %g\n", sums[0], sums[1], sums[COUNT / 2 - 1]);
    cudaFree(in);
    cudaFree(out);
}
