#include <cstdio>
__global__ void nothing() {}
int main() {
    cudaEvent_t start, stop;
    float ms = 0;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    nothing<<<1000, 1024>>>();
    cudaEventRecord(stop);  // right: cudaEventRecord(stop); cudaEventSynchronize(stop);
    if (cudaEventElapsedTime(&ms, start, stop) != cudaSuccess) printf("no time\n");
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaDeviceSynchronize();
}
