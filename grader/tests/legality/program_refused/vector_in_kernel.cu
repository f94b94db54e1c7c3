// A container in a kernel.
#include <vector>
__global__ void k(float* p) {
    std::vector<float> v(3);  // refused
    p[0] = v[1];
}
int main() {
    float* d;
    cudaMalloc(&d, sizeof(float));
    k<<<1, 1>>>(d);
    cudaFree(d);
    return 0;
}
