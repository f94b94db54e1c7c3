// Four parts of an array, each copied and changed in a stream of its own, and one element by its address.
#include <cstdio>
#include <cmath>
#include <cstdlib>
__global__ void add(float* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += 1; }
int main() {
    const int n = 4096, parts = 4, chunk = n / parts;
    float *h, *d; cudaMallocHost(&h, n * sizeof(float)); cudaMalloc(&d, n * sizeof(float));
    for (int i = 0; i < n; ++i) h[i] = i;
    cudaStream_t s[4];
    for (int k = 0; k < parts; ++k) { cudaStreamCreate(&s[k]); int o = k * chunk;
        cudaMemcpyAsync(d + o, h + o, chunk * sizeof(float), cudaMemcpyHostToDevice, s[k]);
        add<<<chunk / 256, 256, 0, s[k]>>>(d + o, chunk);
        cudaMemcpyAsync(h + o, d + o, chunk * sizeof(float), cudaMemcpyDeviceToHost, s[k]);
    }
    cudaDeviceSynchronize();
    double worst = 0; for (int i = 0; i < n; ++i) worst = fmax(worst, fabs(h[i] - (i + 1.0f)));
    printf("%g %g\n", worst, fmax(1.5, 2.5));
    double v[4] = {1, 2, 3, 4}; double* e; cudaMalloc(&e, 400 * sizeof(double)); double* hv = (double*)malloc(400 * sizeof(double)); hv[3] = 7;
    cudaMemset(e, 0, 400 * sizeof(double));
    cudaMemcpy(&e[3], &hv[3], sizeof(double), cudaMemcpyHostToDevice); double back; cudaMemcpy(&back, &e[3], sizeof(double), cudaMemcpyDeviceToHost);
    printf("%g %g\n", back, v[1]);
    for (int k = 0; k < parts; ++k) cudaStreamDestroy(s[k]);
    cudaFree(d); cudaFree(e); cudaFreeHost(h); free(hv);
}
