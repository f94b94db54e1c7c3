// __syncthreads() where cudaDeviceSynchronize() is meant.
__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main() {
    int* d;
    cudaMalloc(&d, 32 * sizeof(int));
    k<<<1, 32>>>(d);
    __syncthreads();  // refused
    cudaFree(d);
    return 0;
}
