// A sum of managed memory: written by the host, added on the GPU, read by the host after it has waited.
#include <iostream>

__global__ void sum(const int *values, int n, int *result) {
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += values[i];
    for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffff, mine, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(result, mine);
}

int main() {
    const int n = 10000;
    int *values, *result;
    cudaMallocManaged(&values, n * sizeof(int));
    cudaMallocManaged(&result, sizeof(int));
    for (int i = 0; i < n; i++) values[i] = i;
    *result = 0;
    sum<<<8, 128>>>(values, n, result);
    cudaDeviceSynchronize();
    std::cout << "sum " << *result << ", expected " << n * (n - 1) / 2 << "\n";
    values[0] = 5;
    *result = 0;
    sum<<<8, 128>>>(values, n, result);
    cudaDeviceSynchronize();
    std::cout << "again " << *result << std::endl;
    cudaFree(values);
    cudaFree(result);
    return 0;
}
