// <<< >>> is missing.
__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main() {
    int* d;
    cudaMalloc(&d, 32 * sizeof(int));
    k(d);  // refused
    cudaFree(d);
    return 0;
}
