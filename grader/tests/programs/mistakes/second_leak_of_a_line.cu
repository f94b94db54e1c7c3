#include <cstdio>
int main() {
    float *d_in, *d_out;
    cudaMalloc(&d_in, 4096); cudaMalloc(&d_out, 8192);
    cudaMemset(d_in, 0, 4096);
    cudaMemset(d_out, 0, 8192);
    cudaFree(d_in);
    printf("done\n");  // right: cudaFree(d_out);
}
