#include <cstdio>
#include <cstdlib>
#include <cstring>
int main() {
    void *p = 0, *q = malloc(64);
    printf("%d %d %d\n", (int)cudaMalloc(&p, ~size_t(0)), (int)cudaMalloc(&p, size_t(1) << 62), (int)cudaMallocManaged(&p, ~size_t(15)));
    printf("%d %d\n", malloc(~size_t(0)) == 0, calloc(size_t(1) << 33, size_t(1) << 33) == 0);
    cudaGetLastError();
    cudaMalloc(&p, 64);
    printf("%d\n", (int)cudaMemcpy(p, q, ~size_t(0), cudaMemcpyHostToDevice));
    printf("%d\n", (int)cudaMemset((char*)p + 60, 0, ~size_t(0) - 50));
    printf("%d\n", (int)cudaMemcpy2D(p, ~size_t(0), q, ~size_t(0), 1, ~size_t(0) >> 1, cudaMemcpyHostToDevice));
    printf("%d\n", (int)cudaMemcpy2D(p, 0, q, 0, 0, ~size_t(0), cudaMemcpyHostToDevice));
    printf("%d\n", (int)cudaMemcpy((char*)p + 8, p, 32, cudaMemcpyDeviceToDevice));
    realloc(q, ~size_t(0));
}
