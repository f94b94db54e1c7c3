// A kernel that prints as the host does.
#include <iostream>
__global__ void k() {
    std::cout << "in a kernel\n";  // refused
}
int main() {
    k<<<1, 1>>>();
    cudaDeviceSynchronize();
    std::cout << "done\n";
    return 0;
}
