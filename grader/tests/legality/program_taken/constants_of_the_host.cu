// What a kernel may use of the host's constants, enumerations and macros.
#include <cstdio>
#define BLOCK 4
const int n = 4;
static const int m = 2 * n;
const float pi = 3.0f;
constexpr double e = 2.5;
constexpr int twice = 2 * n;
enum Kind { left, right = 7 };
enum class Side : int { up = 3 };
namespace sizes {
const unsigned width = 8;
}
struct Shape {
    static const int rows = 5;
    static constexpr int columns = 6;
};
int answers = 0;
__global__ void k(double* p) {
    p[0] = n + m + pi + e + twice + right + static_cast<int>(Side::up) + sizes::width + Shape::rows + Shape::columns + BLOCK;
}
int main() {
    double h, *d;
    cudaMalloc(&d, sizeof h);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%g %d\n", h, ++answers);
    return 0;
}
