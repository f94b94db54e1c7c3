// An inclusive scan of blocks, and a second launch that adds the sums of the blocks before.
#include <cassert>
#include <cstdio>
#include <vector>

#define BLOCK 256

__global__ void scanBlocks(const int *in, int *out, int *sums, int n) {
    __shared__ int temp[2][BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int from = 0;
    temp[0][threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < BLOCK; offset *= 2) {
        int to = 1 - from;
        temp[to][threadIdx.x] = temp[from][threadIdx.x] + (threadIdx.x >= offset ? temp[from][threadIdx.x - offset] : 0);
        from = to;
        __syncthreads();
    }
    if (i < n) out[i] = temp[from][threadIdx.x];
    if (threadIdx.x == BLOCK - 1) sums[blockIdx.x] = temp[from][threadIdx.x];
}

__global__ void addSums(int *out, const int *sums, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) return;
    int before = 0;
    for (int b = 0; b < blockIdx.x; ++b) before += sums[b];
    out[i] += before;
}

int main() {
    const int n = 3000, blocks = (n + BLOCK - 1) / BLOCK;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = i % 10;
    int *d_in = nullptr, *d_out = nullptr, *d_sums = nullptr;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMalloc(&d_sums, blocks * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    scanBlocks<<<blocks, BLOCK>>>(d_in, d_out, d_sums, n);
    addSums<<<blocks, BLOCK>>>(d_out, d_sums, n);
    assert(cudaDeviceSynchronize() == cudaSuccess);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += in[i];
        assert(out[i] == sum);
    }
    printf("scan of %d elements in %d blocks: last is %d\n", n, blocks, out.back());
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_sums);
}
