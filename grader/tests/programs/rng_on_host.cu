// Data of <random>, sorted on the host, summed on the GPU in double.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

__global__ void sumSquares(const int *x, int n, unsigned long long *sum) {
    unsigned long long mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        mine += (unsigned long long)x[i] * x[i];
    atomicAdd(sum, mine);
}

int main() {
    std::mt19937 gen(2024);
    std::vector<int> x(500);
    std::generate(x.begin(), x.end(), [&]() { return static_cast<int>(gen() % 1000); });
    std::sort(x.begin(), x.end());
    int *dx;
    unsigned long long *ds, s = 0;
    cudaMalloc(&dx, x.size() * sizeof(int));
    cudaMalloc(&ds, sizeof(s));
    cudaMemcpy(dx, x.data(), x.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(ds, &s, sizeof(s), cudaMemcpyHostToDevice);
    sumSquares<<<4, 64>>>(dx, (int)x.size(), ds);
    cudaMemcpy(&s, ds, sizeof(s), cudaMemcpyDeviceToHost);
    const unsigned long long expected =
        std::accumulate(x.begin(), x.end(), 0ull, [](unsigned long long a, int b) { return a + (unsigned long long)b * b; });
    std::cout << "min " << x.front() << ", median " << x[x.size() / 2] << ", max " << x.back() << '\n';
    std::cout << std::setw(12) << s << (s == expected ? " right" : " wrong") << std::fixed << std::setprecision(3)
              << ", mean " << std::accumulate(x.begin(), x.end(), 0.0) / x.size() << std::endl;
    cudaFree(dx);
    cudaFree(ds);
    return s == expected ? 0 : 1;
}
