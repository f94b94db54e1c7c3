// A kernel that takes what it does as an object, and a function pointer chosen by the host.
#include <cstdio>

struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};
struct Add {
    int value;
    __host__ __device__ int operator()(int x) const { return x + value; }
};

template <typename F> __global__ void transform(int *data, int n, F f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) data[i] = f(data[i]);
}

typedef int (*Operation)(int);
__device__ int negate(int x) { return -x; }
__device__ Operation d_operation = negate;

__global__ void apply(int *data, int n, Operation operation) {
    int i = threadIdx.x;
    if (i < n) data[i] = operation(data[i]);
}

int main() {
    const int n = 10;
    int h[n], *d;
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    transform<<<2, 4>>>(d, n, Square());
    transform<<<2, 4>>>(d, n, Add{100});
    Operation operation;
    cudaMemcpyFromSymbol(&operation, d_operation, sizeof(Operation));
    apply<<<1, 32>>>(d, n, operation);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) printf("%d ", h[i]);
    printf("\non the host: %d\n", Add{3}(Square()(5)));
    cudaFree(d);
}
