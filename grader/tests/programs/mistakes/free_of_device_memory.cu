#include <cstdlib>
int main() {
    int *d;
    cudaMalloc(&d, 400);
    free(d);  // right: cudaFree(d);
}
