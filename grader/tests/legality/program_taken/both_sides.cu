// Functions of both sides, by macro, by template and by member.
#include <cmath>
#include <cstdio>
#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif
BOTH inline float square(float x) { return x * x; }
template <class T>
BOTH T larger(T a, T b) {
    return a > b ? a : b;
}
struct Vector {
    float x = 0, y = 0;
    Vector() = default;
    BOTH Vector(float a, float b) : x(a), y(b) {}
    BOTH float length() const { return sqrtf(square(x) + square(y)); }
    BOTH friend Vector operator+(Vector a, Vector b) { return Vector(a.x + b.x, a.y + b.y); }
    __device__ void store(float* p) const;
    void print() const { printf("%g %g\n", x, y); }
};
__device__ void Vector::store(float* p) const { p[0] = length(); }
BOTH float by_side(float x) {
#ifdef __CUDA_ARCH__
    return __fmul_rn(x, 2);
#else
    return x * 2;
#endif
}
__global__ void k(float* p) {
    Vector a;
    const Vector b = a + Vector(3, 4);
    b.store(p);
    p[0] = larger(by_side(p[0]), 1.f);
}
int main() {
    float h, *d;
    cudaMalloc(&d, sizeof h);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    (Vector(1, 2) + Vector(3, 4)).print();
    printf("%g %g\n", h, larger(by_side(2), 1.f));
    return 0;
}
