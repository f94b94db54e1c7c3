// clock() has a meaning on either side.
#include <cstdio>
#include <ctime>
__global__ void k(long long* p) {
    const clock_t begin = clock();
    p[0] = clock() - begin >= 0;
}
int main() {
    long long h, *d;
    const clock_t begin = clock();
    cudaMalloc(&d, sizeof h);
    k<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%lld %d\n", h, clock() >= begin);
    return 0;
}
