// One name on either side: the arguments, or the namespaces, decide.
#include <cstdio>
__device__ float scaled(float x) { return 2 * x; }
int scaled(int x) { return 3 * x; }
namespace gpu {
__device__ int one() { return 1; }
}
namespace cpu {
int one() { return 10; }
}
struct Counter {
    int count = 0;
    void add() { ++count; }
};
__device__ void add(int* p) { *p += 1; }
__global__ void k(float* p) { p[0] = scaled(p[1]) + gpu::one(); }
int main() {
    float h[2] = {0, 4}, *d;
    Counter counter;
    counter.add();
    const auto local = [](int i) { return i + 1; };
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    k<<<1, 1>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%g %d %d\n", h[0], scaled(3) + local(1), cpu::one() + counter.count);
    return 0;
}
