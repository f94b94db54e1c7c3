#include <cstdlib>
int main() {
    const int n = 256;
    float *h = (float *)malloc(n * sizeof(float));
    float *d;
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);  // right: cudaMemcpy(d, h, n * sizeof(*h), cudaMemcpyHostToDevice);
    cudaFree(d);
    free(h);
}
