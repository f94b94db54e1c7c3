// Two streams, one of which waits for an event of the other.
#include <cstdio>
#include <cstdlib>

#define CUDACHECK(cmd)                                                                        \
    do {                                                                                      \
        cudaError_t e = cmd;                                                                  \
        if (e != cudaSuccess) {                                                               \
            printf("Failed: Cuda error %s:%d '%s'\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
            exit(EXIT_FAILURE);                                                               \
        }                                                                                     \
    } while (0)

__global__ void produce(int *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
}
__global__ void consume(const int *data, int *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, data[i]);
}

int main() {
    const int n = 1000;
    int *data, *sum, *h_sum;
    CUDACHECK(cudaMalloc(&data, n * sizeof(int)));
    CUDACHECK(cudaMalloc(&sum, sizeof(int)));
    CUDACHECK(cudaHostAlloc(&h_sum, sizeof(int), cudaHostAllocDefault));
    cudaStream_t first, second;
    cudaEvent_t ready;
    CUDACHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CUDACHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    CUDACHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    CUDACHECK(cudaMemsetAsync(sum, 0, sizeof(int), second));
    produce<<<(n + 255) / 256, 256, 0, first>>>(data, n);
    CUDACHECK(cudaEventRecord(ready, first));
    CUDACHECK(cudaStreamWaitEvent(second, ready, 0));
    consume<<<(n + 255) / 256, 256, 0, second>>>(data, sum, n);
    CUDACHECK(cudaMemcpyAsync(h_sum, sum, sizeof(int), cudaMemcpyDeviceToHost, second));
    CUDACHECK(cudaStreamSynchronize(second));
    printf("sum %d, expected %d, query: %s\n", *h_sum, n * (n - 1) / 2, cudaGetErrorName(cudaStreamQuery(second)));
    CUDACHECK(cudaEventDestroy(ready));
    CUDACHECK(cudaStreamDestroy(first));
    CUDACHECK(cudaStreamDestroy(second));
    CUDACHECK(cudaFree(data));
    CUDACHECK(cudaFree(sum));
    CUDACHECK(cudaFreeHost(h_sum));
    return 0;
}
