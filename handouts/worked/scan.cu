// One step of a scan: each element takes in the one before it. Two barriers keep the reads before the writes.
// See it move: ./grader/warpgrade explain --page handouts/worked/scan.cu
#include <cstdio>

#include <cuda_runtime.h>

constexpr int COUNT = 64;

__global__ void one_step(const int* in, int* out) {
    __shared__ int part[COUNT];
    const int tid = threadIdx.x;
    part[tid] = in[tid];
    __syncthreads();
    const int before = tid >= 1 ? part[tid - 1] : 0;
    __syncthreads();
    part[tid] += before;
    out[tid] = part[tid];
}

int main() {
    int host[COUNT], sums[COUNT], *in, *out;
    for (int i = 0; i < COUNT; ++i) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof sums);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    one_step<<<1, COUNT>>>(in, out);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    printf("%d %d ... %d\n", sums[0], sums[1], sums[COUNT - 1]);
    cudaFree(in);
    cudaFree(out);
}
