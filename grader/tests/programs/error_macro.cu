// An error-check macro that says what fails, and a launch that is refused on purpose.
#include <cstdio>
#include <cstdlib>

#define cudaCheckErrors(msg)                                                             \
    do {                                                                                 \
        cudaError_t __err = cudaGetLastError();                                          \
        if (__err != cudaSuccess) {                                                      \
            fprintf(stderr, "Fatal error: %s (%s)\n", msg, cudaGetErrorString(__err));   \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

inline void gpuAssert(cudaError_t code, const char *what, bool abort = true) {
    if (code == cudaSuccess) return;
    printf("GPUassert: %s %s\n", cudaGetErrorString(code), what);
    if (abort) exit(code);
}
#define gpuErrchk(ans) { gpuAssert((ans), #ans); }

__global__ void fill(int *p, int value, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = value;
}

int main() {
    int *d, h[10];
    gpuErrchk(cudaMalloc(&d, sizeof(h)));
    fill<<<1, 32>>>(d, 7, 10);
    cudaCheckErrors("kernel launch failure");
    gpuErrchk(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost));
    printf("h[9] = %d\n", h[9]);
    gpuAssert(cudaMemcpy(h, d, 1000 * sizeof(h), cudaMemcpyKind(77)), "of a bad kind", false);
    gpuAssert(cudaGetLastError(), "is still there", false);
    gpuErrchk(cudaGetLastError());
    gpuErrchk(cudaFree(d));
    printf("%s, %s\n", cudaGetErrorName(cudaErrorMemoryAllocation), cudaGetErrorString(cudaErrorInvalidConfiguration));
    return 0;
}
