// Times every kernel of kernels.csv and every reference solution on a real GPU, as measured marks are: the median of 15
// cold-L2 samples, a buffer of 256 MiB rewritten before each, events round one launch, or round one CUDA graph where the
// launcher makes several. Every output is checked. One line a kernel and shape, CSV, on standard output. A kernel that
// faults, or takes more than half a minute, costs its own line only.
//
//   python3 grader/tests/model/generate.py > build/model/kernels.inc
//   nvcc -std=c++17 -O3 -arch=sm_90 --default-stream per-thread -Ibuild/model -o time_kernels grader/tests/model/time_kernels.cu
//   ./time_kernels [--once | SHAPE...] > times.csv      SHAPE: 8191x8193 or, for sums, 67108864
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

struct Variant {
    const char* name;
    const char* problem;
    void (*matrix)(const float*, float*, int, int);
    void (*sum)(const float*, std::size_t, float*, float*);
};

#include "kernels.inc"

#define MUST(call)                                                                                     \
    do {                                                                                               \
        const cudaError_t error = (call);                                                              \
        if (error != cudaSuccess) {                                                                    \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error)); \
            std::exit(1);                                                                              \
        }                                                                                              \
    } while (0)

static constexpr int kSamples = 15;
static constexpr std::size_t kFlushBytes = std::size_t{256} << 20;
static constexpr std::size_t kMostFloats = std::size_t{1} << 30;
static const cudaStream_t kStream = cudaStreamPerThread;

__device__ static float value_of(std::size_t i) {
    std::uint64_t x = i * 0x9E3779B97F4A7C15ull;
    x ^= x >> 31;
    x *= 0xBF58476D1CE4E5B9ull;
    return static_cast<float>(x >> 40) * (1.0f / 16777216.0f);
}
__global__ void fill(float* a, std::size_t n) {
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x) a[i] = value_of(i);
}
__global__ void count_wrong(const float* in, const float* out, int rows, int cols, int is_copy, int shift, unsigned long long* wrong) {
    const std::size_t n = std::size_t(rows) * cols;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x) {
        const std::size_t to = is_copy ? i + shift : i % cols * rows + i / cols;
        if (to < n && __float_as_uint(out[to]) != __float_as_uint(in[i])) atomicAdd(wrong, 1ull);
    }
}
// Of the square of a matrix, some elements.
__global__ void count_wrong_of_square(const float* in, const float* out, int n, unsigned long long* wrong) {
    const int lane = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = static_cast<int>(lane * 2654435761ull % n), col = static_cast<int>(lane * 40503ull % n);
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += double(in[std::size_t(row) * n + k]) * in[std::size_t(k) * n + col];
    if (!(fabs(out[std::size_t(row) * n + col] - sum) <= 1e-4 * sum)) atomicAdd(wrong, 1ull);
}
__global__ void sum_all(const float* in, std::size_t n, double* sum) {
    double mine = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x) mine += in[i];
    atomicAdd(sum, mine);
}

struct Bench {
    float *in = nullptr, *out = nullptr, *scratch = nullptr;
    char* flush = nullptr;
    void* result = nullptr;
    cudaEvent_t start{}, stop{};
    std::size_t filled = 0;
};

template <class Launch>
static void time_one(Bench& b, const char* problem, const char* name, const std::string& shape, double bytes, int samples, Launch launch) {
    // How many launches the launcher makes: one is timed as it is, several as a graph.
    cudaGraph_t graph;
    cudaGraphExec_t ready = nullptr;
    MUST(cudaStreamBeginCapture(kStream, cudaStreamCaptureModeThreadLocal));
    launch();
    MUST(cudaStreamEndCapture(kStream, &graph));
    std::size_t nodes = 0;
    MUST(cudaGraphGetNodes(graph, nullptr, &nodes));
    if (nodes > 1) MUST(cudaGraphInstantiate(&ready, graph, 0));
    std::vector<float> times;
    for (int i = -2; i < samples; ++i) {
        MUST(cudaMemsetAsync(b.flush, i, kFlushBytes, kStream));
        MUST(cudaEventRecord(b.start, kStream));
        if (ready) MUST(cudaGraphLaunch(ready, kStream));
        else launch();
        MUST(cudaEventRecord(b.stop, kStream));
        MUST(cudaStreamSynchronize(kStream));
        float ms = 0;
        MUST(cudaEventElapsedTime(&ms, b.start, b.stop));
        if (i >= 0) times.push_back(ms * 1000);
    }
    if (ready) MUST(cudaGraphExecDestroy(ready));
    MUST(cudaGraphDestroy(graph));
    std::sort(times.begin(), times.end());
    const std::size_t n = times.size();
    std::printf("%s,%s,%s,%zu,%.3f,%.3f,%.1f\n", problem, name, shape.c_str(), nodes, times[n / 2], times[n * 3 / 4] - times[n / 4], bytes / times[n / 2] / 1000);
    std::fflush(stdout);
}

// Which kernel and shape a worker is at, where the process that started it can see it.
struct Progress {
    int begun;
    char what[112];
};

// Counts kernels and shapes; those that an earlier worker had begun are not due again.
struct Turn {
    Progress& progress;
    unsigned most_seconds;  // 0: any
    int number = 0;
    bool is_due(const char* name, const std::string& shape) {
        if (++number <= progress.begun) return false;
        progress.begun = number;
        std::snprintf(progress.what, sizeof progress.what, "%s %s", name, shape.c_str());
        alarm(most_seconds);
        return true;
    }
};

using Extents = std::pair<int, int>;

static void time_all(bool once, const std::vector<Extents>& shapes, const std::vector<std::size_t>& lengths, Progress& progress) {
    Turn turn{progress, once ? 0u : 30u};
    const int samples = once ? 1 : kSamples;
    Bench b;
    MUST(cudaMalloc(&b.in, kMostFloats * 4));
    MUST(cudaMalloc(&b.out, kMostFloats * 4));
    MUST(cudaMalloc(&b.scratch, kMostFloats / 8));
    MUST(cudaMalloc(&b.flush, kFlushBytes));
    MUST(cudaMalloc(&b.result, 16));
    MUST(cudaEventCreate(&b.start));
    MUST(cudaEventCreate(&b.stop));
    if (!once) fill<<<2112, 512, 0, kStream>>>(b.in, kMostFloats);
    if (!once) {  // clocks up
        for (int i = 0; i < 60; ++i) MUST(cudaMemcpyAsync(b.out, b.in, kMostFloats * 4, cudaMemcpyDeviceToDevice, kStream));
        MUST(cudaStreamSynchronize(kStream));
    }
    for (const Extents& e : shapes) {
        const std::string shape = std::to_string(e.first) + "x" + std::to_string(e.second);
        const double bytes = 8.0 * e.first * e.second;
        if (!once && turn.is_due("memcpy", shape))
            time_one(b, "copy", "memcpy", shape, bytes, samples, [&] { MUST(cudaMemcpyAsync(b.out, b.in, static_cast<std::size_t>(bytes / 2), cudaMemcpyDeviceToDevice, kStream)); });
        for (const Variant& v : variants) {
            if (!v.matrix) continue;
            const std::string name = v.name;
            const bool squares = name.rfind("squared", 0) == 0;
            const bool is_quad = name.rfind("vec4", 0) == 0;
            if (is_quad && (e.first % 4 != 0 || e.second % 4 != 0)) continue;
            if (name.find("stride") != std::string::npos && std::size_t(e.first) * e.second % 4096 != 0) continue;
            if ((name.rfind("copy4", 0) == 0 || name.rfind("copy2", 0) == 0) && std::size_t(e.first) * e.second % 4 != 0) continue;
            if (squares && e.first != e.second) continue;
            if (is_quad && (e.first > 65535 * 64)) continue;
            if (!turn.is_due(v.name, shape)) continue;
            MUST(cudaMemsetAsync(b.out, 0xff, static_cast<std::size_t>(bytes / 2), kStream));
            v.matrix(b.in, b.out, e.first, e.second);
            MUST(cudaGetLastError());
            if (!once) {
                MUST(cudaMemsetAsync(b.result, 0, 8, kStream));
                auto* const found = static_cast<unsigned long long*>(b.result);
                if (squares)
                    count_wrong_of_square<<<64, 128, 0, kStream>>>(b.in, b.out, e.first, found);
                else
                    count_wrong<<<1056, 512, 0, kStream>>>(b.in, b.out, e.first, e.second, !std::strcmp(v.problem, "copy"), name == "copy1_shift", found);
                unsigned long long wrong = 0;
                MUST(cudaMemcpyAsync(&wrong, b.result, 8, cudaMemcpyDeviceToHost, kStream));
                MUST(cudaStreamSynchronize(kStream));
                if (wrong != 0) {
                    std::fprintf(stderr, "%s %s: %llu elements wrong\n", v.name, shape.c_str(), wrong);
                    continue;
                }
                time_one(b, v.problem, v.name, shape, bytes, samples, [&] { v.matrix(b.in, b.out, e.first, e.second); });
            }
        }
    }
    for (const std::size_t n : lengths) {
        const std::string shape = std::to_string(n);
        double expected = 0;
        if (!once) {
            MUST(cudaMemsetAsync(b.result, 0, 8, kStream));
            sum_all<<<1056, 512, 0, kStream>>>(b.in, n, static_cast<double*>(b.result));
            MUST(cudaMemcpyAsync(&expected, b.result, 8, cudaMemcpyDeviceToHost, kStream));
            MUST(cudaStreamSynchronize(kStream));
        }
        for (const Variant& v : variants) {
            if (!v.sum || !turn.is_due(v.name, shape)) continue;
            v.sum(b.in, n, b.scratch, b.out);
            MUST(cudaGetLastError());
            if (once) continue;
            float sum = 0;
            MUST(cudaMemcpyAsync(&sum, b.out, 4, cudaMemcpyDeviceToHost, kStream));
            MUST(cudaStreamSynchronize(kStream));
            const std::string first_pass = " r0_divergent r1_stride r2_seq r3_firstadd r4_unroll r5_multi r6_vec4x4 ";
            const bool is_partial = first_pass.find(" " + std::string(v.name) + " ") != std::string::npos;
            if (!is_partial && std::fabs(sum - expected) > 2e-4 * expected) std::fprintf(stderr, "%s %s: %.9g for %.9g\n", v.name, shape.c_str(), sum, expected);
            time_one(b, v.problem, v.name, shape, 4.0 * n, samples, [&] { v.sum(b.in, n, b.scratch, b.out); });
        }
    }
    MUST(cudaDeviceSynchronize());
}

int main(int argc, char** argv) {
    const bool once = argc > 1 && !std::strcmp(argv[1], "--once");  // under a profiler: one run, few shapes
    std::vector<Extents> shapes{{1024, 1024}, {2048, 2048}, {4096, 4096}, {8192, 8192}, {16384, 16384}, {8191, 8193}, {16384, 4096}, {4096, 16384},
                                {8000, 8000}, {8064, 8064}, {100, 1000000}, {1000000, 100}, {6000, 10000}};
    std::vector<std::size_t> lengths{1 << 20, 1 << 22, 1 << 24, 50000003, 1 << 26, 100000000, 1 << 28, 1 << 30};
    if (argc > 1) shapes.clear(), lengths.clear();
    if (once) shapes = {{4096, 4096}, {4095, 4097}}, lengths = {1 << 24};
    for (int i = 1; i < argc && !once; ++i) {
        if (const char* const cols = std::strchr(argv[i], 'x')) shapes.emplace_back(std::atoi(argv[i]), std::atoi(cols + 1));
        else lengths.push_back(std::strtoull(argv[i], nullptr, 10));
    }
    std::printf("problem,kernel,shape,launches,microseconds,iqr_microseconds,gb_per_s\n");
    std::fflush(stdout);
    void* const shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 1;
    Progress& progress = *new (shared) Progress{};
    if (once) {
        time_all(once, shapes, lengths, progress);
        return 0;
    }
    // A fault ends the worker's driver for good: the next worker goes on behind the kernel that had it.
    int lost = 0;
    while (true) {
        const int before = progress.begun;
        const pid_t worker = fork();
        if (worker < 0) return 1;
        if (worker == 0) {
            time_all(once, shapes, lengths, progress);
            std::fflush(stdout);
            _exit(0);
        }
        int status = 0;
        waitpid(worker, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return lost == 0 ? 0 : 1;
        if (progress.begun == before) return 1;  // not a kernel's fault
        std::fprintf(stderr, "%s: no time, the worker ended (status %d)\n", progress.what, status);
        ++lost;
    }
}
