// stage: scan/open
// says: race_global
// The flag is set by st.relaxed: ld.acquire on the other side has nothing to acquire.
#include <cuda_runtime.h>

__global__ void relay(const unsigned* in, unsigned* out, unsigned* scratch, int n, int tiles) {
    __shared__ unsigned number, before;
    unsigned *flags = scratch + 1, *running = scratch + 1 + tiles;
    if (threadIdx.x == 0) number = atomicAdd(scratch, 1);
    __syncthreads();
    const unsigned tile = number;
    const long long first = tile * 256ll + threadIdx.x * 8ll;
    unsigned v[8], sum = 0;
    for (int k = 0; k < 8; ++k) v[k] = sum += first + k < n ? in[first + k] : 0;
    unsigned up = sum;
    for (int s = 1; s < 32; s *= 2) {
        const unsigned other = __shfl_up_sync(~0u, up, s);
        if (threadIdx.x >= s) up += other;
    }
    const unsigned all = __shfl_sync(~0u, up, 31);
    if (threadIdx.x == 0) {
        unsigned flag = tile == 0, so_far = 0;
        while (flag == 0) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(flag) : "l"(&flags[tile - 1]) : "memory");
        if (tile > 0) so_far = running[tile - 1];  // <--
        running[tile] = so_far + all;  // <--
        asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(&flags[tile]) : "memory");
        before = so_far;
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k)
        if (first + k < n) out[first + k] = before + up - sum + v[k];
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int tiles = (n + 255) / 256;
    cudaMemsetAsync(scratch, 0, (1 + tiles) * sizeof(unsigned));
    relay<<<tiles, 32>>>(in, out, scratch, n, tiles);
}
