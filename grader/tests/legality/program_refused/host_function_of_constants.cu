// The compiler works out what the call gives; nvcc refuses it all the same.
int twice(int x) { return 2 * x; }
__global__ void k(int* p) {
    p[0] = twice(3);  // refused
}
int main() {
    int* d;
    cudaMalloc(&d, sizeof(int));
    k<<<1, 1>>>(d);
    cudaFree(d);
    return 0;
}
