// Stage 4, streams: copy one part while another is computed.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

constexpr int PARTS = 4, STREAMS = 2, THREADS = 256;

void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(EXIT_FAILURE);
}

__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 100000;
    const std::size_t bytes = n * sizeof(float);

    float *a = nullptr, *b = nullptr, *sum = nullptr;
    check(cudaMallocHost(&a, bytes), "cudaMallocHost");
    check(cudaMallocHost(&b, bytes), "cudaMallocHost");
    check(cudaMallocHost(&sum, bytes), "cudaMallocHost");
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = 2 * i;
    }
    float *d_a = nullptr, *d_b = nullptr, *d_sum = nullptr;
    check(cudaMalloc(&d_a, bytes), "cudaMalloc");
    check(cudaMalloc(&d_b, bytes), "cudaMalloc");
    check(cudaMalloc(&d_sum, bytes), "cudaMalloc");

    cudaStream_t streams[STREAMS];
    for (cudaStream_t& stream : streams) check(cudaStreamCreate(&stream), "cudaStreamCreate");

    const int length = (n + PARTS - 1) / PARTS;  // of a part; the last one may be shorter
    for (int first = 0, part = 0; first < n; first += length, ++part) {
        const int count = first + length < n ? length : n - first;
        cudaStream_t stream = streams[part % STREAMS];
        check(cudaMemcpyAsync(d_a + first, a + first, count * sizeof(float), cudaMemcpyHostToDevice, stream), "copy of a");
        check(cudaMemcpyAsync(d_b + first, b + first, count * sizeof(float), cudaMemcpyHostToDevice, stream), "copy of b");
        add<<<(count - 1) / THREADS + 1, THREADS, 0, stream>>>(d_a + first, d_b + first, d_sum + first, count);
        check(cudaGetLastError(), "launch of add");
        check(cudaMemcpyAsync(sum + first, d_sum + first, count * sizeof(float), cudaMemcpyDeviceToHost, stream),
              "copy of sum");
    }
    for (cudaStream_t stream : streams) {
        check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        check(cudaStreamDestroy(stream), "cudaStreamDestroy");
    }

    int right = 0;
    for (int i = 0; i < n; ++i) right += sum[i] == a[i] + b[i];
    std::printf("%d of %d sums are right\n", right, n);
    check(cudaFree(d_a), "cudaFree");
    check(cudaFree(d_b), "cudaFree");
    check(cudaFree(d_sum), "cudaFree");
    check(cudaFreeHost(a), "cudaFreeHost");
    check(cudaFreeHost(b), "cudaFreeHost");
    check(cudaFreeHost(sum), "cudaFreeHost");
    return 0;
}
