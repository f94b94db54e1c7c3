// What kernels call of CUB: load and store through shared memory, sort, scan, reduce, count.
#include <cstdio>
#include <cub/cub.cuh>
constexpr int THREADS = 128, ITEMS = 4;
__global__ void sort_and_scan(const int* in, int* sorted, int* sums) {
    using Load = cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>;
    using Sort = cub::BlockRadixSort<int, THREADS, ITEMS>;
    using Scan = cub::BlockScan<int, THREADS>;
    using Store = cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Sort::TempStorage sort;
        typename Scan::TempStorage scan;
        typename Store::TempStorage store;
    } shared;
    int items[ITEMS];
    Load(shared.load).Load(in, items);
    __syncthreads();
    Sort(shared.sort).Sort(items);
    __syncthreads();
    Store(shared.store).Store(sorted, items);
    __syncthreads();
    Scan(shared.scan).InclusiveSum(items, items);
    __syncthreads();
    Store(shared.store).Store(sums, items);
}
__global__ void warps(const int* in, int* out) {
    using Reduce = cub::WarpReduce<int>;
    __shared__ typename Reduce::TempStorage storage[4];
    int warp = threadIdx.x / 32;
    int total = Reduce(storage[warp]).Reduce(in[threadIdx.x], [](int a, int b) { return a > b ? a : b; });
    if (threadIdx.x % 32 == 0) out[warp] = total;
}
__global__ void counts(const int* in, unsigned* out) {
    using Histogram = cub::BlockHistogram<unsigned char, THREADS, ITEMS, 16>;
    __shared__ typename Histogram::TempStorage storage;
    __shared__ unsigned bins[16];
    unsigned char items[ITEMS];
    for (int i = 0; i < ITEMS; ++i) items[i] = in[threadIdx.x * ITEMS + i] % 16;
    Histogram(storage).Histogram(items, bins);
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}
int main() {
    const int n = THREADS * ITEMS;
    static int host[n];
    for (int i = 0; i < n; ++i) host[i] = (i * 7919 + 13) % 1000;
    int *in, *out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, 3 * sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sort_and_scan<<<1, THREADS>>>(in, out, out + n);
    warps<<<1, THREADS>>>(in, out + 2 * n);
    counts<<<1, THREADS>>>(in, (unsigned*)out + 2 * n + 4);
    static int back[3 * n];
    cudaMemcpy(back, out, (2 * n + 20) * sizeof(int), cudaMemcpyDeviceToHost);
    bool sorted = true;
    for (int i = 1; i < n; ++i) sorted = sorted && back[i - 1] <= back[i];
    printf("%d %d %d %d\n", sorted, back[0], back[n - 1], back[2 * n - 1]);
    for (int i = 0; i < 20; ++i) printf("%d ", back[2 * n + i]);
    printf("\n");
    cudaFree(in);
    cudaFree(out);
}
