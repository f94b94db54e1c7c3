// A cooperative launch whose blocks meet at grid.sync().
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void twoSteps(const int *in, int *parts, int *out, int n) {
    cg::grid_group grid = cg::this_grid();
    int sum = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += in[i];
    atomicAdd(&parts[blockIdx.x], sum);
    grid.sync();
    if (grid.thread_rank() == 0) {
        int all = 0;
        for (int b = 0; b < gridDim.x; b++) all += parts[b];
        *out = all;
    }
}

int main() {
    int n = 4096, h[4096], result = 0, supported = 0;
    for (int i = 0; i < n; i++) h[i] = i % 3;
    cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0);
    int *in, *parts, *out;
    cudaMalloc(&in, sizeof(h));
    cudaMalloc(&parts, 4 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaMemset(parts, 0, 4 * sizeof(int));
    void *args[] = {&in, &parts, &out, &n};
    cudaError_t error = cudaLaunchCooperativeKernel((void *)twoSteps, dim3(4), dim3(64), args, 0, 0);
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("supported %d, %s, sum %d\n", supported, cudaGetErrorString(error), result);
    cudaFree(in);
    cudaFree(parts);
    cudaFree(out);
}
