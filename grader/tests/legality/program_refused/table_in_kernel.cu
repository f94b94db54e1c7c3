// A table of the host, read by a kernel.
const float weights[3] = {0.25f, 0.5f, 0.25f};
__global__ void k(float* p, int i) {
    p[0] = weights[i];  // refused
}
int main() {
    float* d;
    cudaMalloc(&d, sizeof(float));
    k<<<1, 1>>>(d, 1);
    cudaFree(d);
    return 0;
}
