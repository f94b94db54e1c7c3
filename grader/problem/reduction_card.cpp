#include "problem/reduction_card.hpp"

#include "problem/card_calls.hpp"

namespace warpgrade {

std::string_view reduction_card_source() {
    // element is ReductionInput::element of the exact tier, hash_of is problem/pattern.hpp's; a test holds them
    // together.
    return R"cuda(
typedef unsigned int word;
typedef unsigned long long number;

number hash_of(number a, number b) {
    number x = a + 0x9E3779B97F4A7C15ull * (b + 1);
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}

// A whole number; sparse != 0: one element in so many is 1, the others 0.
word element(number i, number seed, word largest, number sparse) {
    const number hash = hash_of(seed, i);
    if (sparse != 0) return hash % sparse == 0;
    return static_cast<word>(1 + hash % largest);
}

extern "C" __global__ void fill_numbers(float* in, number count, number seed, word largest, number sparse) {
    const number stride = static_cast<number>(gridDim.x) * blockDim.x;
    for (number i = static_cast<number>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
        in[i] = static_cast<float>(element(i, seed, largest, sparse));
}

struct Report {
    number wrong, first_wrong_complement, changed, fingerprint, sum;
};

// The sum over a warp, in every lane; all lanes take part.
number over_warp(number value) {
    for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, lanes);
    return value;
}

// The sum that is due, and whether the input is what it was.
extern "C" __global__ void sum_numbers(const float* in, number count, number seed, word largest, number sparse,
                                       Report* report) {
    const number stride = static_cast<number>(gridDim.x) * blockDim.x;
    number sum = 0, changed = 0, fingerprint = 0;
    for (number i = static_cast<number>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
        const word due = element(i, seed, largest, sparse);
        const float value = in[i];
        sum += due;
        changed += value != static_cast<float>(due);
        fingerprint += __float_as_uint(value) * (2 * i + 1);
    }
    sum = over_warp(sum);
    changed = over_warp(changed);
    fingerprint = over_warp(fingerprint);
    if (threadIdx.x % 32 != 0) return;
    atomicAdd(&report->sum, sum);
    if (changed != 0) atomicAdd(&report->changed, changed);
    atomicAdd(&report->fingerprint, fingerprint);
}

// Written so that a NaN is wrong.
extern "C" __global__ void check_sum(const float* out, Report* report) {
    if (!(out[0] == static_cast<float>(report->sum))) {
        report->wrong = 1;
        report->first_wrong_complement = ~0ull;
    }
}
)cuda";
}

KernelCall reduction_fill_call(const ReductionInput& input, std::uint64_t seed, std::uint64_t in) {
    return grid_stride_call("fill_numbers", input.n(), in, input.n(), seed, input.largest(), input.sparse());
}

std::vector<KernelCall> reduction_check_calls(const ReductionInput& input, std::uint64_t seed,
                                              std::span<const std::uint64_t> addresses, std::uint64_t report) {
    KernelCall check = grid_stride_call("check_sum", 1, addresses[2], report);
    check.block = {1, 1, 1};
    return {grid_stride_call("sum_numbers", input.n(), addresses[0], input.n(), seed, input.largest(), input.sparse(),
                             report),
            check};
}

double reduction_seconds_on_host(std::uint64_t n) {
    std::vector<float> in(n);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 7);
    volatile float seen = 0;  // the loop has to have happened
    return best_of_three([&] {
        float sum = 0;
        for (const float value : in) sum += value;
        seen = sum;
    });
}

}  // namespace warpgrade
