// Errors as exceptions, as programs in modern C++ report them; nothing fails here.
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>

inline void check(cudaError_t error, const char *what) {
    if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

__global__ void fill(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = i * i;
}

int main() {
    try {
        const int n = 100;
        int h[n], *d = nullptr;
        check(cudaMalloc(&d, sizeof h), "cudaMalloc");
        fill<<<1, 128>>>(d, n);
        check(cudaGetLastError(), "launch");
        check(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost), "cudaMemcpy");
        check(cudaFree(d), "cudaFree");
        printf("h[99] is %d\n", h[99]);
    } catch (const std::exception &e) {
        std::cerr << e.what() << std::endl;
        return EXIT_FAILURE;
    } catch (...) {
        return 2;
    }
    return EXIT_SUCCESS;
}
