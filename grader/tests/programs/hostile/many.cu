#include <cstdio>
#include <cstdlib>
int main() {
    int failed = 0; char *p; 
    for (int i = 0; i < 200000; ++i) { p = (char*)malloc(i % 3000); if (!p) ++failed; else if (i % 2) free(p); }
    for (int i = 0; i < 20000; ++i) if (cudaMalloc(&p, 4) != cudaSuccess) ++failed;
    cudaStream_t s; cudaEvent_t e;
    for (int i = 0; i < 70000; ++i) { if (cudaStreamCreate(&s) != cudaSuccess) ++failed; if (cudaEventCreate(&e) != cudaSuccess) ++failed; }
    printf("%d failed\n", failed);
}
