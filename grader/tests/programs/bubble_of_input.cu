// Reads numbers from standard input, sorts them by odd-even exchanges, prints them.
// input: 7\n5 3 9 -1 12 0 7\n
#include <cstdio>
#include <iostream>
#include <vector>

__global__ void oddEvenSort(int *a, int n) {
    int i = threadIdx.x;
    for (int phase = 0; phase < n; phase++) {
        int left = 2 * i + phase % 2;
        if (left + 1 < n && a[left] > a[left + 1]) {
            int t = a[left];
            a[left] = a[left + 1];
            a[left + 1] = t;
        }
        __syncthreads();
    }
}

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<int> a(n);
    for (int &x : a) std::cin >> x;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    oddEvenSort<<<1, 32>>>(d, n);
    cudaMemcpy(a.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) std::cout << a[i] << (i + 1 < n ? " " : "\n");
    cudaFree(d);
}
