// Pi by random points, each thread with a generator of its own.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

struct Xorshift {
    uint32_t state;
    __host__ __device__ explicit Xorshift(uint32_t seed) : state(seed * 2654435761u + 1u) {}
    __host__ __device__ uint32_t next() {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return state;
    }
};

__global__ void throwDarts(unsigned long long *hits, int perThread) {
    Xorshift rng(blockIdx.x * blockDim.x + threadIdx.x);
    unsigned int inside = 0;
    for (int i = 0; i < perThread; i++) {
        uint64_t x = rng.next() >> 16, y = rng.next() >> 16;
        if (x * x + y * y < (uint64_t)65536 * 65536) inside++;
    }
    atomicAdd(hits, (unsigned long long)inside);
}

int main() {
    const int blocks = 16, threads = 64, perThread = 100;
    unsigned long long *d_hits, hits = 0;
    if (cudaMalloc(&d_hits, sizeof(*d_hits)) != cudaSuccess) return EXIT_FAILURE;
    cudaMemset(d_hits, 0, sizeof(*d_hits));
    throwDarts<<<blocks, threads>>>(d_hits, perThread);
    cudaMemcpy(&hits, d_hits, sizeof(hits), cudaMemcpyDeviceToHost);
    unsigned long long onHost = 0;
    for (int t = 0; t < blocks * threads; t++) {
        Xorshift rng(t);
        for (int i = 0; i < perThread; i++) {
            uint64_t x = rng.next() >> 16, y = rng.next() >> 16;
            onHost += x * x + y * y < (uint64_t)65536 * 65536;
        }
    }
    printf("%llu of %d darts, the same on the host: %s, pi is about %.2f\n", hits, blocks * threads * perThread,
           hits == onHost ? "yes" : "no", 4.0 * hits / (blocks * threads * perThread));
    cudaFree(d_hits);
    return 0;
}
