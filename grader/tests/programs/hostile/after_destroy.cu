#include <cstdio>
__global__ void k() {}
int main() {
    cudaStream_t s; cudaEvent_t e; float ms;
    cudaStreamCreate(&s); cudaEventCreate(&e); cudaStreamDestroy(s); cudaEventDestroy(e);
    printf("%d %d %d %d %d %d\n", cudaStreamDestroy(s), cudaEventDestroy(e), cudaEventRecord(e, s), cudaStreamSynchronize(s), cudaEventElapsedTime(&ms, e, e), cudaStreamWaitEvent(s, e, 0));
    k<<<1, 1, 0, s>>>();
    k<<<1, 1, 0, (cudaStream_t)0x7777>>>();
    printf("%d\n", cudaGetLastError());
    printf("%s %s\n", cudaGetErrorName((cudaError_t)12345), cudaGetErrorString((cudaError_t)-5));
}
