// After a kernel that failed nothing is copied, set, allocated or launched; the last error is that of the last call.
#include <cstdio>
__global__ void store(int* p) { *p = 1; }
int main() {
    int r = -1, *d, *other = nullptr;
    cudaMalloc(&d, sizeof r);
    cudaMemset(d, 0, sizeof r);
    store<<<1, 1>>>(nullptr);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%s\n", cudaGetErrorName(cudaMemcpy(&r, d, sizeof r, cudaMemcpyDeviceToHost)));
    printf("%s\n", cudaGetErrorName(cudaMalloc(&other, 4)));
    printf("%d %d %s\n", r, other == nullptr, cudaGetErrorName(cudaGetLastError()));
    printf("%s %s\n", cudaGetErrorName(cudaPeekAtLastError()), cudaGetErrorName(cudaGetLastError()));
    store<<<1, 1>>>(d);
    printf("%s ", cudaGetErrorName(cudaGetLastError()));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%s ", cudaGetErrorName(cudaPeekAtLastError()));
    printf("%s ", cudaGetErrorName(cudaGetLastError()));
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    int warp = 0;
    printf("%s ", cudaGetErrorName(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0)));
    printf("%d %s\n", warp, cudaGetErrorName(cudaGetLastError()));
    return 0;
}
