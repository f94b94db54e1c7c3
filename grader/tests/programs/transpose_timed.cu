// Transposes a matrix with and without a padded tile, timed with events.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                 \
    do {                                                                                            \
        const cudaError_t error = call;                                                             \
        if (error != cudaSuccess) {                                                                 \
            printf("Error: %s:%d, ", __FILE__, __LINE__);                                           \
            printf("code: %d, reason: %s\n", error, cudaGetErrorString(error));                     \
            exit(1);                                                                                \
        }                                                                                           \
    } while (0)

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

__global__ void copyKernel(float *odata, const float *idata) {
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    int width = gridDim.x * TILE_DIM;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[(y + j) * width + x] = idata[(y + j) * width + x];
}

__global__ void transposeNaive(float *odata, const float *idata) {
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    int width = gridDim.x * TILE_DIM;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[x * width + (y + j)] = idata[(y + j) * width + x];
}

__global__ void transposeNoBankConflicts(float *odata, const float *idata) {
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    int width = gridDim.x * TILE_DIM;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

bool isRight(const float *res, const float *idata, int n, bool isCopy) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if (res[j * n + i] != (isCopy ? idata[j * n + i] : idata[i * n + j])) return false;
    return true;
}

int main() {
    const int n = 128;
    const int mem_size = n * n * sizeof(float);
    dim3 dimGrid(n / TILE_DIM, n / TILE_DIM, 1);
    dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);
    float *h_idata = (float *)malloc(mem_size);
    float *h_tdata = (float *)malloc(mem_size);
    for (int i = 0; i < n * n; i++) h_idata[i] = i;
    float *d_idata, *d_tdata;
    CHECK(cudaMalloc(&d_idata, mem_size));
    CHECK(cudaMalloc(&d_tdata, mem_size));
    CHECK(cudaMemcpy(d_idata, h_idata, mem_size, cudaMemcpyHostToDevice));
    cudaEvent_t startEvent, stopEvent;
    CHECK(cudaEventCreate(&startEvent));
    CHECK(cudaEventCreate(&stopEvent));
    float ms;
    const char *names[] = {"copy", "naive transpose", "conflict-free transpose"};
    for (int kind = 0; kind < 3; kind++) {
        CHECK(cudaMemset(d_tdata, 0, mem_size));
        CHECK(cudaEventRecord(startEvent, 0));
        for (int i = 0; i < 3; i++) {
            if (kind == 0) copyKernel<<<dimGrid, dimBlock>>>(d_tdata, d_idata);
            if (kind == 1) transposeNaive<<<dimGrid, dimBlock>>>(d_tdata, d_idata);
            if (kind == 2) transposeNoBankConflicts<<<dimGrid, dimBlock>>>(d_tdata, d_idata);
        }
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(stopEvent, 0));
        CHECK(cudaEventSynchronize(stopEvent));
        CHECK(cudaEventElapsedTime(&ms, startEvent, stopEvent));
        CHECK(cudaMemcpy(h_tdata, d_tdata, mem_size, cudaMemcpyDeviceToHost));
        printf("%25s %s, time %s\n", names[kind], isRight(h_tdata, h_idata, n, kind == 0) ? "right" : "*** FAILED ***",
               ms > 0 ? "measured" : "missing");
    }
    CHECK(cudaEventDestroy(startEvent));
    CHECK(cudaEventDestroy(stopEvent));
    CHECK(cudaFree(d_tdata));
    CHECK(cudaFree(d_idata));
    free(h_idata);
    free(h_tdata);
}
