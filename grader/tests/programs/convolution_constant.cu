// A 1-D convolution whose mask is in constant memory.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#define MAX_MASK_WIDTH 10
__constant__ float M[MAX_MASK_WIDTH];

__global__ void convolution_1D(const float *N, float *P, int Mask_Width, int Width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= Width) return;
    float Pvalue = 0;
    int N_start_point = i - (Mask_Width / 2);
    for (int j = 0; j < Mask_Width; j++) {
        if (N_start_point + j >= 0 && N_start_point + j < Width) Pvalue += N[N_start_point + j] * M[j];
    }
    P[i] = Pvalue;
}

int main() {
    const int width = 1000, mask_width = 5;
    float h_M[mask_width] = {1, 2, 3, 2, 1};
    float *h_N = (float *)malloc(width * sizeof(float));
    float *h_P = (float *)calloc(width, sizeof(float));
    for (int i = 0; i < width; i++) h_N[i] = (float)(i % 11);
    float *d_N, *d_P;
    cudaMalloc((void **)&d_N, width * sizeof(float));
    cudaMalloc((void **)&d_P, width * sizeof(float));
    cudaMemcpyToSymbol(M, h_M, mask_width * sizeof(float));
    cudaMemcpy(d_N, h_N, width * sizeof(float), cudaMemcpyHostToDevice);
    clock_t begin = clock();
    convolution_1D<<<(width + 127) / 128, 128>>>(d_N, d_P, mask_width, width);
    cudaDeviceSynchronize();
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    cudaMemcpy(h_P, d_P, width * sizeof(float), cudaMemcpyDeviceToHost);
    printf("P[0] = %g, P[1] = %g, P[500] = %g, P[999] = %g, clock %s\n", h_P[0], h_P[1], h_P[500], h_P[999],
           seconds >= 0 ? "runs" : "stands");
    cudaFree(d_N);
    cudaFree(d_P);
    free(h_N);
    free(h_P);
    return 0;
}
