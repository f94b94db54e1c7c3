// What programs do with clusters: halos of a stencil, a scan over blocks, a flag in another block, arrivals apart from
// waits, wide and narrow accesses, a grid barrier among clusters.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;

constexpr int threads = 64, blocks = 4;

// Each block keeps its part of the row, and reads its neighbours' edges from their shared memory.
__global__ void __cluster_dims__(blocks, 1, 1) heat(float *row, int steps) {
    __shared__ float part[2][threads];
    cg::cluster_group cluster = cg::this_cluster();
    const int rank = cluster.block_rank(), t = threadIdx.x;
    part[0][t] = row[blockIdx.x * threads + t];
    cluster.sync();
    for (int step = 0; step < steps; ++step) {
        const int now = step % 2;
        float left = 0, right = 0;
        if (t > 0)
            left = part[now][t - 1];
        else if (rank > 0)
            left = cluster.map_shared_rank(&part[now][0], rank - 1)[threads - 1];
        if (t + 1 < threads)
            right = part[now][t + 1];
        else if (rank + 1 < blocks)
            right = cluster.map_shared_rank(&part[now][0], rank + 1)[0];
        part[1 - now][t] = 0.5f * part[now][t] + 0.25f * (left + right);
        cluster.sync();
    }
    row[blockIdx.x * threads + t] = part[steps % 2][t];
}

// The sums of the blocks before, while this block goes on with its own.
__global__ void __cluster_dims__(blocks, 1, 1) offsets(const int *in, int *out) {
    __shared__ int total;
    __shared__ double wide[threads];
    __shared__ alignas(16) unsigned char bytes[threads];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), t = threadIdx.x;
    if (t == 0) total = 0;
    __syncthreads();
    atomicAdd(&total, in[blockIdx.x * threads + t]);
    __syncthreads();
    wide[t] = t * 0.5;
    bytes[t] = static_cast<unsigned char>(rank * 60 + t % 16);
    auto token = cluster.barrier_arrive();
    int own = in[blockIdx.x * threads + t] * 2;
    cluster.barrier_wait(static_cast<decltype(token) &&>(token));
    for (unsigned before = 0; before < rank; ++before) own += *cluster.map_shared_rank(&total, before);
    const unsigned next = (rank + 1) % blocks;
    own += static_cast<int>(cluster.map_shared_rank(wide, next)[t]);
    own += cluster.map_shared_rank(bytes, next)[t];
    const uint4 four = reinterpret_cast<const uint4 *>(cluster.map_shared_rank(bytes, next))[t % 4];
    own += four.x & 0xff;
    cluster.sync();
    atomicMax(cluster.map_shared_rank(&total, 0), own);
    cluster.sync();
    out[blockIdx.x * threads + t] = rank == 0 && t == 0 ? total : own;
}

// One block tells the other one by a flag.
__global__ void __cluster_dims__(2, 1, 1) tell(int *out) {
    __shared__ int value;
    __shared__ int flag;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) flag = 0;
    cluster.sync();
    if (cluster.block_rank() == 1 && threadIdx.x == 0) {
        *cluster.map_shared_rank(&value, 0) = 42;
        __threadfence();
        *const_cast<volatile int *>(cluster.map_shared_rank(&flag, 0)) = 1;
    }
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        while (*const_cast<volatile int *>(&flag) == 0) {
        }
        __threadfence();
        out[blockIdx.x / 2] = value;
    }
    cluster.sync();
}

// All clusters meet between the two halves.
__global__ void both(int *sum, int *out) {
    __shared__ int own;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) own = blockIdx.x;
    cluster.sync();
    if (threadIdx.x == 0) atomicAdd(sum, *cluster.map_shared_rank(&own, cluster.block_rank() ^ 1));
    cluster.sync();
    cg::this_grid().sync();
    if (threadIdx.x == 0) out[blockIdx.x] = *sum;
}

int main() {
    const int n = 2 * blocks * threads;
    std::vector<float> row(n);
    for (int i = 0; i < n; ++i) row[i] = i % 50 == 0 ? 100 : 0;
    float *d;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, row.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    heat<<<2 * blocks, threads>>>(d, 20);
    cudaMemcpy(row.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
    double all = 0;
    for (int i = 0; i < n; ++i) all += row[i] * (i % 7 + 1);
    printf("heat %.4f %.4f %.4f\n", all, row[63], row[64]);

    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i % 11;
    int *in, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    offsets<<<2 * blocks, threads>>>(in, out);
    cudaMemcpy(values.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
    long sum = 0;
    for (int value : values) sum += value;
    printf("offsets %ld %d %d %d\n", sum, values[0], values[100], values[n - 1]);

    tell<<<8, 32>>>(out);
    int told[4];
    cudaMemcpy(told, out, sizeof told, cudaMemcpyDeviceToHost);
    printf("told %d %d %d %d\n", told[0], told[1], told[2], told[3]);

    int *count;
    cudaMalloc(&count, sizeof(int));
    cudaMemset(count, 0, sizeof(int));
    cudaLaunchAttribute attributes[2];
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim.x = 2;
    attributes[1].val.clusterDim.y = attributes[1].val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 8;
    config.blockDim = 32;
    config.attrs = attributes;
    config.numAttrs = 2;
    const cudaError_t error = cudaLaunchKernelEx(&config, both, count, out);
    cudaMemcpy(values.data(), out, 8 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("both %s %d %d\n", cudaGetErrorName(error), values[0], values[7]);
    cudaFree(d);
    cudaFree(in);
    cudaFree(out);
    cudaFree(count);
}
