// stage: scan/open
// says: inactive_lane
// Two halves of a warp scan by themselves; then the upper one asks lane 15 for its sum, which has not come to the call.
#include <cuda_runtime.h>

__device__ unsigned scan_warp(unsigned v, int lane) {
    for (int s = 1; s < 16; s *= 2) {
        const unsigned other = __shfl_up_sync(0xffffffff, v, s, 16);
        if (lane % 16 >= s) v += other;
    }
    if (lane >= 16) v += __shfl_sync(0xffff0000, v, 15);  // <--
    return v;
}

// Launched with a single warp, which goes through everything.
__global__ void all(const unsigned* in, unsigned* out, int n) {
    unsigned carry = 0;
    for (int first = 0; first < n; first += 32) {
        const int i = first + threadIdx.x;
        const unsigned v = scan_warp(i < n ? in[i] : 0, threadIdx.x) + carry;
        if (i < n) out[i] = v;
        carry = __shfl_sync(0xffffffff, v, 31);
    }
}

void scan(const unsigned* in, unsigned* out, unsigned*, int n) {
    if (n > 0) all<<<1, 32>>>(in, out, n);
}
