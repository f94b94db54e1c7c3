// stage: reduction/open
// A ring of three tiles by bulk copies: a full and an empty mbarrier each, waited for by parity, in PTX.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

constexpr int STAGES = 3, SIZE = 128;

__device__ uint32_t window(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }
__device__ void set_up(uint64_t* b, int count) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(window(b)), "r"(count) : "memory"); }
__device__ void arrive(uint64_t* b) { asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(window(b)) : "memory"); }
__device__ void expect(uint64_t* b, int bytes) {
    asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1; }" ::"r"(window(b)), "r"(bytes) : "memory");
}
__device__ void await(uint64_t* b, unsigned parity) {
    asm volatile(
        "{\n.reg .pred done;\nagain:\nmbarrier.test_wait.parity.shared.b64 done, [%0], %1;\n@done bra over;\nbra again;\nover:\n}" ::"r"(
            window(b)),
        "r"(parity)
        : "memory");
}

__global__ void ring(const float* in, size_t tiles, float* sums) {
    __shared__ alignas(16) float tile[STAGES][SIZE];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) {
            set_up(&full[s], 1);
            set_up(&empty[s], SIZE);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    float sum = 0;
    unsigned k = 0;
    if (threadIdx.x >= SIZE) {
        if (threadIdx.x == SIZE)
            for (size_t t = blockIdx.x; t < tiles; t += gridDim.x, ++k) {
                const unsigned s = k % STAGES, round = k / STAGES;
                if (round > 0) await(&empty[s], (round - 1) & 1);
                expect(&full[s], sizeof(tile[s]));
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(window(tile[s])),
                             "l"(in + t * SIZE), "r"(unsigned(sizeof(tile[s]))), "r"(window(&full[s]))
                             : "memory");
            }
    } else {
        for (size_t t = blockIdx.x; t < tiles; t += gridDim.x, ++k) {
            const unsigned s = k % STAGES, round = k / STAGES;
            await(&full[s], round & 1);
            sum += tile[s][threadIdx.x];
            arrive(&empty[s]);
        }
        sums[blockIdx.x * SIZE + threadIdx.x] = sum;
    }
}

__global__ void rest(const float* in, size_t n, const float* sums, int count, float* out) {
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 32) sum += in[i];
    for (int i = threadIdx.x; i < count; i += 32) sum += sums[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    const size_t head = n < 4 ? n : (4 - reinterpret_cast<uintptr_t>(in) / 4 % 4) % 4;  // up to a multiple of 16 bytes
    const size_t tiles = (n - head) / SIZE;
    ring<<<16, SIZE + 32>>>(in + head, tiles, scratch);
    // What is left: the head, which is added with the sums, and the tail behind the last tile.
    rest<<<1, 32>>>(in + head + tiles * SIZE, n - head - tiles * SIZE, scratch, 16 * SIZE, scratch + 16 * SIZE);
    rest<<<1, 32>>>(in, head, scratch + 16 * SIZE, 1, out);
}
