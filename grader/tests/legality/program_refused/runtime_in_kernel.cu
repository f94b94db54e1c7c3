// A kernel that allocates as the host does.
__global__ void k(int* p) {
    cudaMemset(p, 0, sizeof(int));  // refused
}
int main() {
    int* d;
    cudaMalloc(&d, sizeof(int));
    k<<<1, 1>>>(d);
    cudaFree(d);
    return 0;
}
