// The standard library where it belongs, and what of it kernels may use.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <vector>
const float infinity = std::numeric_limits<float>::infinity();
std::vector<float> made(int n) {
    std::vector<float> v(n);
    std::generate(v.begin(), v.end(), [] { return rand() % 10; });
    std::sort(v.begin(), v.end(), [](float a, float b) { return a < b; });
    return v;
}
struct Owner {
    std::unique_ptr<int> one = std::make_unique<int>(1);
    std::string name;
    explicit Owner(std::string given) : name(std::move(given)) {}
};
__global__ void k(float* p, int n) {
    const int i = static_cast<int>(threadIdx.x);
    assert(i < 32);
    char bytes[4];
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, &p[i], sizeof bytes);
    if (i < n) p[i] = std::sqrt(std::fabs(p[i])) + fminf(p[i], 3) + max(i, 2) + abs(-i);
    if (i == 0) printf("%d\n", n);
}
int main() {
    std::vector<float> v = made(4);
    const Owner owner("name");
    const std::function<int(int)> f = [](int x) { return x + 1; };
    float* d;
    cudaMalloc(&d, v.size() * sizeof(float));
    cudaMemcpy(d, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice);
    k<<<1, 4>>>(d, static_cast<int>(v.size()));
    cudaMemcpy(v.data(), d, v.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d);
    std::cout << v.size() << ' ' << f(*owner.one) << ' ' << owner.name.size() << ' ' << (infinity > 1) << '\n';
    return 0;
}
