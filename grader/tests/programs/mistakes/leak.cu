int main() {
    int *kept, *freed;
    cudaMalloc(&kept, 400);
    cudaMalloc(&freed, 400);
    cudaFree(freed);  // right: cudaFree(freed); cudaFree(kept);
}
