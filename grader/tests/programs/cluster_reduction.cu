// A sum over the blocks of a cluster: each block adds its part, and the first block collects them from shared memory.
#include <cooperative_groups.h>
#include <cstdio>
#include <utility>
#include <vector>
namespace cg = cooperative_groups;

constexpr int threads = 64, blocks = 4;

__global__ void __cluster_dims__(blocks, 1, 1) sums(const float *in, float *out, int n) {
    __shared__ float part[threads];
    cg::cluster_group cluster = cg::this_cluster();
    float sum = 0;
    for (int i = cluster.block_rank() * threads + threadIdx.x; i < n; i += blocks * threads)
        sum += in[blockIdx.x / blocks * n + i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(std::move(token));
    if (cluster.thread_rank() == 0) {
        float all = 0;
        for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank) {
            const float *theirs = cluster.map_shared_rank(&part[0], rank);
            all += *theirs;
            if (cluster.query_shared_rank(theirs) != rank) all = -1;
        }
        out[blockIdx.x / blocks] = all;
    }
    cluster.sync();
}

// A ring: each block stores into the next one.
__global__ void __cluster_dims__(2, 2, 1) ring(int *out) {
    __shared__ int got[32];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    cluster.sync();
    cluster.map_shared_rank(got, next)[threadIdx.x] = 1000 * blockIdx.y + 100 * blockIdx.x + threadIdx.x;
    cluster.sync();
    const dim3 at = cluster.block_index(), size = cluster.dim_blocks();
    if (threadIdx.x == 5)
        out[blockIdx.y * gridDim.x + blockIdx.x] =
            got[5] * 100 + at.y * 10 + at.x + (size.x * size.y == 4 && cluster.num_threads() == 128 ? 0 : 1000000);
}

int main() {
    const int n = 1000, rows = 3;
    std::vector<float> values(rows * n), sum(rows);
    for (int i = 0; i < rows * n; ++i) values[i] = i % 7;
    float *in, *out;
    cudaMalloc(&in, rows * n * sizeof(float));
    cudaMalloc(&out, rows * sizeof(float));
    cudaMemcpy(in, values.data(), rows * n * sizeof(float), cudaMemcpyHostToDevice);
    sums<<<rows * blocks, threads>>>(in, out, n);
    cudaMemcpy(sum.data(), out, rows * sizeof(float), cudaMemcpyDeviceToHost);
    for (float one : sum) printf("%g\n", one);
    int *ranks, seen[16];
    cudaMalloc(&ranks, sizeof seen);
    ring<<<dim3(4, 4), 32>>>(ranks);
    cudaMemcpy(seen, ranks, sizeof seen, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; ++i) printf("%d%c", seen[i], i % 4 == 3 ? '\n' : ' ');
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(in);
    cudaFree(out);
    cudaFree(ranks);
}
