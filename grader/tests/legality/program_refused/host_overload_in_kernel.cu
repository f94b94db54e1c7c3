// Of two overloads the kernel means the host's.
__device__ int twice(int x) { return 2 * x; }
float twice(float x) { return 2 * x; }
__global__ void k(float* p) {
    p[0] = static_cast<float>(twice(3));
    p[1] = twice(p[0]);  // refused
}
int main() {
    float* d;
    cudaMalloc(&d, 2 * sizeof(float));
    k<<<1, 1>>>(d);
    cudaFree(d);
    return 0;
}
