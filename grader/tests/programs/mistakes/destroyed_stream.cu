__global__ void nothing() {}
int main() {
    cudaStream_t s;
    cudaStreamCreate(&s);
    nothing<<<1, 1, 0, s>>>();
    cudaStreamDestroy(s);       // right:
    nothing<<<1, 1, 0, s>>>();  // right: nothing<<<1, 1, 0, s>>>(); cudaStreamDestroy(s);
    cudaDeviceSynchronize();
}
