int main() {
    int *a, *b;
    cudaMalloc(&a, 400);
    cudaMalloc(&b, 400);
    cudaFree(a);
    cudaFree(a);  // right: cudaFree(b);
    cudaFree(b);  // right:
}
