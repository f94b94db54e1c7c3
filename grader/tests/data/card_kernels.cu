// Kernels that a card stops, and one that says where it ran; for tests/device/card_test.cpp. Compiled as launchers.cu.
#include <cstddef>

__global__ void store(float* out, long long index) { out[index] = 1.0f; }
void store_at(float* out, long long index) { store<<<1, 1>>>(out, index); }

__global__ void wait_for(volatile int* flag) {
    while (*flag != 12345) {
    }
}
void endless(int* flag) { wait_for<<<1, 32>>>(flag); }

__global__ void stop() { __trap(); }
void trapped() { stop<<<1, 1>>>(); }

// out[block] = the multiprocessor the block ran on; out[gridDim.x] = how many there are.
__global__ void where(int* out) {
    int processor = 0, processors = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(processor));
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(processors));
    out[blockIdx.x] = processor;
    out[gridDim.x] = processors;
}
void places(int* out, int blocks) { where<<<blocks, 1024>>>(out); }

// Each launch reads what the one before wrote, and a memset lies between.
__global__ void add(float* out, float value) { out[threadIdx.x] = out[threadIdx.x] * 2 + value; }
void chain(float* out, int launches) {
    cudaMemset(out, 0, 32 * sizeof(float));
    for (int i = 0; i < launches; ++i) add<<<1, 32>>>(out, static_cast<float>(i + 1));
}
__global__ void large(float* out) {
    extern __shared__ float tile[];
    tile[threadIdx.x + 20000] = static_cast<float>(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = tile[20000 + 31 - threadIdx.x];
}
void large_tile(float* out) {
    cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
    large<<<1, 32, 100000>>>(out);
}
__device__ int calls = 0;
__global__ void count(float* out) { out[0] = static_cast<float>(++calls); }
void counted(float* out) { count<<<1, 1>>>(out); }
