// stage: reduction/open
// redux, match and vote on the bits of floats, summed as integers of a fixed point where they fit, else as floats.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void warp_functions(const float* in, size_t n, float* out) {
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 32) sum += in[i];
    const unsigned lane = threadIdx.x;
    const unsigned all = __reduce_add_sync(0xffffffff, lane), most = __reduce_max_sync(0xffffffff, lane);
    const int least = __reduce_min_sync(0xffffffff, static_cast<int>(lane) - 7);
    const unsigned bits = __reduce_or_sync(0xffffffff, 1u << lane) & __reduce_xor_sync(0xffffffff, 1u << lane);
    const unsigned same = __match_any_sync(0xffffffff, lane % 4);
    int agree = 0;
    const unsigned whole = __match_all_sync(0xffffffff, 5, &agree);
    const bool is_right = all == 496 && most == 31 && least == -7 && bits == 0xffffffff && __popc(same) == 8 &&
                          ((same >> lane) & 1) && whole == 0xffffffff && agree == 1 && __reduce_and_sync(0xffffffff, 6u) == 6 &&
                          __ballot_sync(0xffffffff, lane < 3) == 7 && __any_sync(0xffffffff, lane == 9) &&
                          !__all_sync(0xffffffff, lane == 9) && __ffs(same) == static_cast<int>(lane % 4) + 1 &&
                          __brev(1u) == 0x80000000u && __clz(1) == 31 && __byte_perm(0x01020304, 0, 0x0123) == 0x04030201 &&
                          __funnelshift_l(1u, 2u, 4) == 32 && __umulhi(1u << 31, 4) == 2 && __dp4a(0x01010101, 0x02020202, 1) == 9;
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (lane == 0) *out = is_right ? sum : -1.0f;
}

void reduce(const float* in, size_t n, float*, float* out) { warp_functions<<<1, 32>>>(in, n, out); }
