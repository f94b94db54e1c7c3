// A bitonic sort, one launch for each step, checked against qsort.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void step(int *a, int j, int k) {
    unsigned i = threadIdx.x + blockDim.x * blockIdx.x, other = i ^ j;
    if (other <= i) return;
    bool up = (i & k) == 0;
    if ((a[i] > a[other]) == up) {
        int t = a[i];
        a[i] = a[other];
        a[other] = t;
    }
}

int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main() {
    const int n = 512;
    int a[512], expected[512], *d;
    srand(42);
    for (int i = 0; i < n; i++) a[i] = rand() % 10000;
    memcpy(expected, a, sizeof a);
    qsort(expected, n, sizeof(int), compare);
    cudaMalloc((void **)&d, sizeof a);
    cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice);
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) step<<<n / 128, 128>>>(d, j, k);
    cudaMemcpy(a, d, sizeof a, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%s: %d %d ... %d\n", memcmp(a, expected, sizeof a) == 0 ? "sorted" : "NOT sorted", a[0], a[1], a[n - 1]);
    return 0;
}
