// C = A * B, naive and with tiles in shared memory, checked against the host.
// arguments: 48 64 32
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>

constexpr int TILE = 16;

__global__ void matmulNaive(const float *A, const float *B, float *C, int M, int K, int N) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}

__global__ void matmulTiled(const float *A, const float *B, float *C, int M, int K, int N) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < (K + TILE - 1) / TILE; ++t) {
        int k = t * TILE + threadIdx.x;
        As[threadIdx.y][threadIdx.x] = row < M && k < K ? A[row * K + k] : 0.0f;
        k = t * TILE + threadIdx.y;
        Bs[threadIdx.y][threadIdx.x] = k < K && col < N ? B[k * N + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i) sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}

int main(int argc, char **argv) {
    int M = argc > 1 ? atoi(argv[1]) : 32;
    int K = argc > 2 ? atoi(argv[2]) : 32;
    int N = argc > 3 ? atoi(argv[3]) : 32;
    std::vector<float> A(M * K), B(K * N), C(M * N), D(M * N);
    for (int i = 0; i < M * K; ++i) A[i] = i % 7;
    for (int i = 0; i < K * N; ++i) B[i] = i % 5 - 2;
    float *dA, *dB, *dC;
    cudaMalloc(&dA, A.size() * sizeof(float));
    cudaMalloc(&dB, B.size() * sizeof(float));
    cudaMalloc(&dC, C.size() * sizeof(float));
    cudaMemcpy(dA, A.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dB, B.data(), B.size() * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
    matmulNaive<<<grid, block>>>(dA, dB, dC, M, K, N);
    cudaMemcpy(C.data(), dC, C.size() * sizeof(float), cudaMemcpyDeviceToHost);
    matmulTiled<<<grid, block>>>(dA, dB, dC, M, K, N);
    cudaMemcpy(D.data(), dC, D.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
            float sum = 0;
            for (int k = 0; k < K; ++k) sum += A[i * K + k] * B[k * N + j];
            if (std::fabs(sum - C[i * N + j]) > 1e-3 || C[i * N + j] != D[i * N + j]) ++wrong;
        }
    printf("%d x %d x %d: %d wrong, C[5] = %.1f\n", M, K, N, wrong, C[5]);
    cudaFree(dA);
    cudaFree(dB);
    cudaFree(dC);
    return wrong != 0;
}
