// Names of the kernel's own, the same as those of the host.
#include <cstdio>
#include <vector>
int n = 100;
std::vector<int> table{1, 2, 3};
float weight(float x) { return x; }
int rand_of(int* state) { return *state += 1; }
__global__ void k(const float* table, float* out, int n) {
    const float weight = table[0];
    int rand_of = 1;
    if (static_cast<int>(threadIdx.x) < n) out[threadIdx.x] = weight * table[threadIdx.x] + rand_of;
}
int main() {
    float h[4] = {1, 2, 3, 4}, *in, *out;
    int gridDim = 1, state = 0;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    k<<<gridDim, 4>>>(in, out, 4);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    printf("%g %g %d %zu %d\n", h[3], weight(2), n, table.size(), rand_of(&state));
    return 0;
}
