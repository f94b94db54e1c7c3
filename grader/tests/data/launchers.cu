// Launchers and their kernels, for tests/device. A comment `// line: name` marks a line that the tests ask for. To compile
// again, as a submission is compiled (compile/compiler.cpp), with -I of the shipped headers:
//   -default-device -rdc=true -lineinfo -std=c++17 -arch=compute_80 -D__WARPGRADE__=1 -include=cuda_runtime.h
#include <cstddef>
#include <cstdio>

__global__ void probe(float* out) { out[threadIdx.x] = 1.0f; }
__global__ void __launch_bounds__(128) bounded(float* out) { out[threadIdx.x] = 2.0f; }
__global__ void static_shared(float* out) {
    __shared__ float tile[10000];
    tile[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
__global__ void dynamic_shared(float* out) {
    extern __shared__ float words[];
    words[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = words[blockDim.x - 1 - threadIdx.x];
}

void launch_probe(float* out, int gx, int gy, int gz, int bx, int by, int bz, int shared) {
    probe<<<dim3(gx, gy, gz), dim3(bx, by, bz), shared>>>(out);  // line: probe
    printf("%s", cudaGetErrorName(cudaGetLastError()));
}
void launch_bounded(float* out, int threads) {
    bounded<<<1, threads>>>(out);  // line: bounded
    printf("%s", cudaGetErrorName(cudaPeekAtLastError()));
    printf(" %s", cudaGetErrorName(cudaGetLastError()));
    printf(" %s", cudaGetErrorName(cudaGetLastError()));
}
void launch_static(float* out, int shared) {
    static_shared<<<1, 32, shared>>>(out);  // line: static
}
void launch_opted_in(float* out, int attribute, int shared) {
    const cudaError_t error = cudaFuncSetAttribute(dynamic_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, attribute);  // line: opt in
    printf("%s", cudaGetErrorName(error));
    dynamic_shared<<<1, 64, shared>>>(out);  // line: opted in
}

void fill(float* out, int value, size_t bytes) {
    cudaMemset(out, value, bytes);  // line: memset
    probe<<<1, 4>>>(out + 8);
    cudaMemsetAsync(out + 4, 0, 4, 0);
}

template <int Threads, class T>
__global__ void halve(const T* in, T* out, int n) {
    const int i = blockIdx.x * Threads + threadIdx.x;
    if (i < n) out[i] = in[2 * i] + (2 * i + 1 < 2 * n ? in[2 * i + 1] : 0);
}
// As many launches as it takes; each one reads what the one before wrote.
void reduce(float* data, float* scratch, int n) {
    while (n > 1) {
        n /= 2;
        halve<64><<<(n + 63) / 64, 64>>>(data, scratch, n);
        float* other = data;
        data = scratch;
        scratch = other;
    }
    printf("%d launches read from %s", n, data < scratch ? "data" : "scratch");
}

void peek(const float* in, float* out) {
    probe<<<1, 32>>>(out);
    if (in[3] > 0) probe<<<1, 32>>>(out);  // line: peek
}
void spin(volatile int*, float* out) {
    for (volatile int k = 0; k >= 0; k = 1) {  // line: spin
    }
    probe<<<1, 32>>>(out);
}
void flood(float* out, int count) {
    for (int k = 0; k < count; ++k) probe<<<1, 32>>>(out);  // line: flood
}
void query(float* out) {
    int processors = 0, threads = 0, shared = 0, opt_in = 0, device = -1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, device);
    cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlock, device);
    cudaDeviceGetAttribute(&opt_in, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    printf("%d %d %d %d %d", device, processors, threads, shared, opt_in);
    probe<<<processors, threads>>>(out);
}
extern "C" void cudaMystery(float*);
void calls_out(float* out) {
    probe<<<1, 32>>>(out);
    cudaMystery(out);  // line: mystery
    probe<<<1, 32>>>(out);
}

struct Options {
    short rows;
    double scale;
    char tag[3];
};
__global__ void takes_structs(float* out, Options options, char c, size_t n) {
    out[0] = static_cast<float>(options.rows * options.scale + options.tag[2] + c + n);
}
void launch_structs(float* out, int rows) { takes_structs<<<1, 1>>>(out, Options{static_cast<short>(rows), 0.5, {1, 2, 3}}, 'A', size_t(1) << 20); }

constexpr int kTile = 32;
__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[kTile][kTile + 1];
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[size_t(y) * cols + x];  // line: load
    __syncthreads();
    x = blockIdx.y * kTile + threadIdx.x;
    y = blockIdx.x * kTile + threadIdx.y;
    if (x < rows && y < cols) out[size_t(y) * rows + x] = tile[threadIdx.x][threadIdx.y];  // line: store
}
void transpose(const float* in, float* out, int rows, int cols) {
    const dim3 block(kTile, kTile), grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    transpose_kernel<<<grid, block>>>(in, out, rows, cols);
}

// Finds its value of the last call in a __device__ variable.
__device__ int calls = 0;
__global__ void count(float* out) { out[0] = static_cast<float>(++calls); }
void counted(float* out) { count<<<1, 1>>>(out); }
__global__ void say() { printf("kernel %d\n", blockIdx.x); }
void chatty() {
    printf("launcher\n");
    say<<<2, 1>>>();
    say<<<1, 1>>>();
}
