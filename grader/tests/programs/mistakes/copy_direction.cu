#include <cstdio>
#include <vector>
int main() {
    std::vector<float> h(500, 1.0f);
    float *d;
    cudaMalloc(&d, h.size() * sizeof(float));
    cudaMemcpy(d, h.data(), h.size() * sizeof(float), cudaMemcpyDeviceToHost);  // right: cudaMemcpy(d, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(d, 0, sizeof(float));
    cudaFree(d);
    printf("done\n");
}
