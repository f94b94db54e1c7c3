// stage: reduction/open
// A loop entered in its middle by a switch, goto, continue and break out of two loops.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void jumps(const float* in, size_t n, float* out) {
    const size_t threads = size_t{blockDim.x} * gridDim.x;
    size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i >= n) goto add;
    {
        const size_t mine = (n - i + threads - 1) / threads;
        size_t rounds = (mine + 3) / 4;
        switch (mine % 4) {
            case 0:
                do {
                    sum += in[i];
                    i += threads;
                    [[fallthrough]];
                    case 3:
                        sum += in[i];
                        i += threads;
                        [[fallthrough]];
                    case 2:
                        sum += in[i];
                        i += threads;
                        [[fallthrough]];
                    case 1:
                        sum += in[i];
                        i += threads;
                } while (--rounds > 0);
        }
    }
add:
    for (int s = 16;; s /= 2) {
        if (s == 0) break;
        sum += __shfl_down_sync(0xffffffffu, sum, s);
        if (s > 1) continue;
        if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
    }
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, 4);
    jumps<<<24, 160>>>(in, n, out);
}
