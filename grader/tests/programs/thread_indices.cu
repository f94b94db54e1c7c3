// Which element each thread of a two-dimensional grid gets.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void indices(int *ix, int *iy, int nx, int ny) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x < nx && y < ny) {
        ix[y * nx + x] = blockIdx.x * 100 + threadIdx.x;
        iy[y * nx + x] = blockIdx.y * 100 + threadIdx.y;
    }
}

int main(void) {
    int nx = 8, ny = 6;
    int nBytes = nx * ny * sizeof(int);
    int *h_ix = (int *)malloc(nBytes), *h_iy = (int *)malloc(nBytes);
    int *d_ix, *d_iy;
    cudaMalloc((void **)&d_ix, nBytes);
    cudaMalloc((void **)&d_iy, nBytes);
    dim3 block(4, 2);
    dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
    indices<<<grid, block>>>(d_ix, d_iy, nx, ny);
    cudaMemcpy(h_ix, d_ix, nBytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_iy, d_iy, nBytes, cudaMemcpyDeviceToHost);
    for (int y = 0; y < ny; y++) {
        for (int x = 0; x < nx; x++) printf("(%3d,%3d) ", h_ix[y * nx + x], h_iy[y * nx + x]);
        printf("\n");
    }
    cudaFree(d_ix);
    cudaFree(d_iy);
    free(h_ix);
    free(h_iy);
    cudaDeviceReset();
    return 0;
}
