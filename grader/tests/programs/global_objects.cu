// Objects of the file and of functions that are made while the program runs.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static const double root = std::sqrt(atof("2.25"));
std::vector<int> sizes = {16, 32, 64};
std::string title("sizes");
const int total = sizes[0] + sizes[1] + sizes[2];

__global__ void fill(int *p, int value) { p[threadIdx.x] = value; }

int next() {
    static int calls = atoi("100");
    static std::vector<int> seen;
    seen.push_back(calls);
    return ++calls + (int)seen.size();
}

int main() {
    int *d, h[64];
    cudaMalloc(&d, sizeof(h));
    printf("%s, root %.2f, total %d\n", title.c_str(), root, total);
    for (int size : sizes) {
        fill<<<1, size>>>(d, next());
        cudaMemcpy(h, d, size * sizeof(int), cudaMemcpyDeviceToHost);
        printf("%d: %d\n", size, h[size - 1]);
    }
    cudaFree(d);
}
