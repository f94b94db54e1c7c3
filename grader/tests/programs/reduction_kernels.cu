// Several reductions by number, chosen in a switch, each timed and checked.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

__global__ void reduce0(const int *in, int *out, unsigned n) {
    extern __shared__ int sdata[];
    unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

__global__ void reduce1(const int *in, int *out, unsigned n) {
    extern __shared__ int sdata[];
    unsigned tid = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[tid] = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + blockDim.x] : 0);
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

__global__ void reduce2(const int *in, int *out, unsigned n) {
    int sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    __shared__ int warps[32];
    for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(~0u, sum, o);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
        for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(~0u, sum, o);
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
    }
}

int main() {
    const unsigned n = 5000;
    const int threads = 128;
    std::vector<int> in(n), out(64);
    for (unsigned i = 0; i < n; i++) in[i] = (i * 37) % 101;
    const int expected = std::accumulate(in.begin(), in.end(), 0);
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, out.size() * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    std::function<int(int)> blocks_of = [&](int which) {
        return which == 0 ? (n + threads - 1) / threads : which == 1 ? (n + 2 * threads - 1) / (2 * threads) : 8;
    };
    for (int which = 0; which < 3; which++) {
        const int blocks = blocks_of(which);
        auto start = std::chrono::steady_clock::now();
        switch (which) {
        case 0: reduce0<<<blocks, threads, threads * sizeof(int)>>>(d_in, d_out, n); break;
        case 1: reduce1<<<blocks, threads, threads * sizeof(int)>>>(d_in, d_out, n); break;
        default: reduce2<<<blocks, threads>>>(d_in, d_out, n);
        }
        cudaDeviceSynchronize();
        auto us = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
        cudaMemcpy(out.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
        const int sum = std::accumulate(out.begin(), out.begin() + blocks, 0);
        printf("reduce%d: %2d blocks, %d %s%s\n", which, blocks, sum, sum == expected ? "right" : "wrong",
               us.count() < 0 ? ", before it began" : "");
    }
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
