#include "problem/transpose_card.hpp"

#include <algorithm>
#include <vector>

#include "problem/card_calls.hpp"
#include "problem/pattern.hpp"

namespace warpgrade {

std::string_view transpose_card_source() {
    // float_bits is Pattern::float_bits (problem/pattern.hpp), and a test holds the two together.
    return R"cuda(
typedef unsigned int word;
typedef unsigned long long number;

constexpr word mask = (1u << 27) - 1;

word float_bits(number index, word before, word after) {
    const word high = static_cast<word>(index >> 27);
    word x = (static_cast<word>(index) & mask) ^ before ^ (high * 0x1F35B7u & mask);
    x = (x * (0x5A3C9E5u & mask)) & mask;
    x ^= x >> 13;
    x = (x * (0x2E6B1D3u & mask)) & mask;
    x ^= x >> 14;
    x ^= after;
    return x >> 26 << 31 | (126u + (x >> 23 & 7u)) << 23 | (x & 0x7FFFFFu);
}

extern "C" __global__ void fill_pattern(word* in, number count, word before, word after) {
    const number stride = static_cast<number>(gridDim.x) * blockDim.x;
    for (number i = static_cast<number>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
        in[i] = float_bits(i, before, after);
}

// The sum over a warp, in every lane; all lanes take part.
number over_warp(number value) {
    for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, lanes);
    return value;
}

struct Report {
    number wrong, first_wrong_complement, changed, fingerprint, sum;
};

// out[i] holds in[(i % width) * height + i / width], or in[i] where width is 0.
extern "C" __global__ void check_pattern(const word* in, const word* out, number count, number width, number height,
                                         word before, word after, Report* report) {
    const number stride = static_cast<number>(gridDim.x) * blockDim.x;
    number wrong = 0, first = 0, changed = 0, fingerprint = 0;
    for (number i = static_cast<number>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
        number source = i;
        if (width != 0 && count >> 32 == 0) {
            const word y = static_cast<word>(i) / static_cast<word>(width);
            source = (i - y * width) * height + y;
        } else if (width != 0) {
            source = i % width * height + i / width;
        }
        if (out[i] != float_bits(source, before, after)) {
            ++wrong;
            if (first < ~i) first = ~i;
        }
        const word value = in[i];
        changed += value != float_bits(i, before, after);
        fingerprint += value * (2 * i + 1);
    }
    if (first != 0) atomicMax(&report->first_wrong_complement, first);
    wrong = over_warp(wrong);
    changed = over_warp(changed);
    fingerprint = over_warp(fingerprint);
    if (threadIdx.x % 32 != 0) return;
    if (wrong != 0) atomicAdd(&report->wrong, wrong);
    if (changed != 0) atomicAdd(&report->changed, changed);
    atomicAdd(&report->fingerprint, fingerprint);
}
)cuda";
}

KernelCall transpose_fill_call(std::uint64_t elements, std::uint64_t seed, std::uint64_t in) {
    const Pattern pattern(ElementType::f32, seed);
    return grid_stride_call("fill_pattern", elements, in, elements, pattern.before(), pattern.after());
}

KernelCall transpose_check_call(const Shape& shape, bool is_transposed, std::uint64_t seed,
                                std::span<const std::uint64_t> addresses, std::uint64_t report) {
    const Pattern pattern(ElementType::f32, seed);
    const auto rows = static_cast<std::uint64_t>(shape.extents[0]), cols = static_cast<std::uint64_t>(shape.extents[1]);
    return grid_stride_call("check_pattern", rows * cols, addresses[0], addresses[1], rows * cols,
                            is_transposed ? rows : std::uint64_t{0}, cols, pattern.before(), pattern.after(), report);
}

double transpose_seconds_on_host(const Shape& shape, bool is_transposed) {
    const auto rows = static_cast<std::size_t>(shape.extents[0]), cols = static_cast<std::size_t>(shape.extents[1]);
    std::vector<float> in(rows * cols), out(rows * cols);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
    std::fill(out.begin(), out.end(), 1.0f);  // its pages are there before the clock starts
    const double seconds = best_of_three([&] {
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t col = 0; col < cols; ++col)
                out[is_transposed ? col * rows + row : row * cols + col] = in[row * cols + col];
    });
    volatile float seen = out.empty() ? 0.0f : out.back();  // the loop above has to have happened
    (void)seen;
    return seconds;
}

}  // namespace warpgrade
