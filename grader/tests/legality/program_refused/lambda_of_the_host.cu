// A lambda of the host, given to a kernel.
template <class F>
__global__ void k(F f, float* p) {
    p[threadIdx.x] = f(threadIdx.x);
}
int main() {
    float* d;
    const float base = 5;
    cudaMalloc(&d, 32 * sizeof(float));
    k<<<1, 32>>>([=](int i) { return i + base; }, d);  // refused
    cudaFree(d);
    return 0;
}
