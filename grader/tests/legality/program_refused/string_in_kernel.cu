// A string in a kernel.
#include <string>
__global__ void k(int* p) {
    std::string text("abc");  // refused
    p[0] = static_cast<int>(text.size());
}
int main() {
    int* d;
    cudaMalloc(&d, sizeof(int));
    k<<<1, 1>>>(d);
    cudaFree(d);
    return 0;
}
