// Variables of the GPU: one that both sides see, one that is copied by its symbol, one that a kernel counts in.
#include <cstdio>

__device__ __managed__ int shared_by_both = 10;
__device__ float table[4];
__device__ unsigned int counter = 0;

__global__ void work(float *out) {
    if (threadIdx.x == 0) shared_by_both += 5;
    if (threadIdx.x % 3 == 0) atomicInc(&counter, 1000);
    out[threadIdx.x] = table[threadIdx.x % 4] * 2;
}

int main() {
    float values[4] = {1, 2, 3, 4}, out[16], *d_out;
    unsigned int counted = 0;
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpyToSymbol(table, values, sizeof(values));
    shared_by_both++;
    work<<<1, 16>>>(d_out);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&counted, counter, sizeof(counted));
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    printf("shared %d, counted %u, out[7] %g\n", shared_by_both, counted, out[7]);
    void *address;
    size_t bytes;
    cudaGetSymbolAddress(&address, table);
    cudaGetSymbolSize(&bytes, table);
    cudaMemset(address, 0, bytes);
    work<<<1, 16>>>(d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    printf("shared %d, out[7] %g, table has %zu bytes\n", shared_by_both, out[7], bytes);
    cudaFree(d_out);
}
