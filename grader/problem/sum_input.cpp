#include "problem/sum_input.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "problem/pattern.hpp"

namespace warpgrade {

namespace {
constexpr std::uint64_t exact_limit = std::uint64_t{1} << 24;  // whole numbers up to here are floats
constexpr float needle_value = 3.0f;

// x is a multiple of d = odd * 2^s if x / odd, modulo 2^64 and turned right by s bits, is at most (2^64 - 1) / d
// (Granlund and Montgomery, Division by Invariant Integers using Multiplication, section 9).
class Divisor {
public:
    explicit Divisor(std::uint64_t d) : shift_(std::countr_zero(d)), most_(~std::uint64_t{0} / d) {
        const std::uint64_t odd = d >> shift_;
        inverse_ = odd;  // right in 3 bits; each step doubles them
        for (int bits = 3; bits < 64; bits *= 2) inverse_ *= 2 - odd * inverse_;
    }
    constexpr bool divides(std::uint64_t x) const { return std::rotr(x * inverse_, shift_) <= most_; }

private:
    int shift_;
    std::uint64_t most_, inverse_ = 0;
};

// As make(), without a division for each. Timed shapes have 2^26 elements: the machine takes its widest vectors for
// them.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && (defined(__clang__) || __GNUC__ >= 12)
[[gnu::target_clones("arch=x86-64-v4", "avx2", "default")]]
#endif
void fill_sparse(std::span<float> values, Divisor divisor, std::uint64_t seed, std::uint64_t first) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = divisor.divides(hash_of(seed, first + i)) ? 1.0f : 0.0f;
}
}  // namespace

SumInput::SumInput(std::uint64_t n, std::uint64_t seed, std::string_view contents)
    : n_(n), seed_(seed), contents_(contents), is_index_(contents == "index") {
    if (n * 15 > exact_limit) {
        largest_ = static_cast<std::uint32_t>(exact_limit / n);
        if (largest_ <= 1) sparse_ = (n + exact_limit / 2 - 1) / (exact_limit / 2);
    }
    if (contents == "fractions") {
        largest_ =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(exact_limit / std::max<std::uint64_t>(n, 1), 65535));
        unit_ = 0x1p-16f;
    }
    if (contents == "tenths" || contents == "cancellation") tier_ = SumTier::accuracy;
    if (contents.starts_with("needle")) tier_ = SumTier::needle;
    if (contents == "nan") tier_ = SumTier::not_a_number;
    if (contents == "infinity") tier_ = SumTier::infinity;
    if (n == 0) return;
    if (contents == "needle_last") needle_ = n - 1;
    // The last element of some block of 256 threads, where an off-by-one would cut.
    if (contents == "needle_edge") needle_ = n > 256 ? hash_of(seed, 5) % (n / 256) * 256 + 255 : n / 2;
    if (contents == "nan" || contents == "infinity") needle_ = hash_of(seed, 6) % n;
}

float SumInput::make(std::uint64_t i) const {
    switch (tier_) {
        case SumTier::needle: return i == needle_ ? needle_value : 0.0f;
        case SumTier::accuracy: {
            if (contents_ == "tenths") return 0.1f;
            // Pairs that nearly cancel: the sum is small beside the sum of magnitudes.
            const auto half = static_cast<float>(hash_of(seed_, i / 2) >> 40) * 0x1p-20f + 1.0f;
            return i % 2 == 0 ? half : -half + static_cast<float>(hash_of(seed_, ~i) >> 52) * 0x1p-24f;
        }
        case SumTier::not_a_number:
            if (i == needle_) return std::numeric_limits<float>::quiet_NaN();
            break;
        case SumTier::infinity:
            if (i == needle_) return std::numeric_limits<float>::infinity();
            break;
        case SumTier::exact: break;
    }
    if (is_index_) return static_cast<float>(i);
    const std::uint64_t hash = hash_of(seed_, i);
    if (sparse_ != 0) return hash % sparse_ == 0 ? 1.0f : 0.0f;
    return static_cast<float>(1 + hash % largest_) * unit_;
}

void SumInput::fill(std::span<float> values, std::uint64_t first) const {
    if (tier_ != SumTier::exact || sparse_ == 0) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = element(first + i);
        return;
    }
    fill_sparse(values, Divisor(sparse_), seed_, first);
}

double SumInput::sum(std::uint64_t first, std::uint64_t last) const {
    // Doubles of up to 2^30 floats of one magnitude: the error of this sum is far below a float's.
    // Several sums side by side: no addition waits for the one before.
    if (made_.empty()) {
        double total = 0;
        for (std::uint64_t i = first; i < last; ++i) total += static_cast<double>(make(i));
        return total;
    }
    std::array<double, 16> totals{};
    std::uint64_t i = first;
    for (; i + totals.size() <= last; i += totals.size())
        for (std::size_t t = 0; t < totals.size(); ++t) totals[t] += static_cast<double>(made_[i + t]);
    for (; i < last; ++i) totals.front() += static_cast<double>(made_[i]);
    return std::accumulate(totals.begin(), totals.end(), 0.0);
}

double SumInput::sum_of_magnitudes() const {
    double total = 0;
    for (std::uint64_t i = 0; i < n_; ++i) total += std::fabs(static_cast<double>(element(i)));
    return total;
}

double sum_tolerance(const SumInput& input, const ObservedRun& run) {
    constexpr double u = 0x1p-24;
    double depth = 4;
    auto elements = static_cast<double>(input.n());
    for (const ObservedLaunch& launch : run.launches) {
        const auto blocks = static_cast<double>(launch.blocks);
        const double threads = blocks * static_cast<double>(launch.threads_per_block);
        if (threads < 1) continue;
        // One thread may add what another could have: no more than its block had instructions for.
        constexpr double instructions_of_an_addition = 2;
        const double even = std::ceil(elements / threads);
        const double most = static_cast<double>(launch.longest_block) / instructions_of_an_addition;
        depth += std::min(elements, std::max(even, most)) + static_cast<double>(launch.threads_per_block) +
                 std::log2(blocks);
        elements = std::max(blocks, std::min(threads, static_cast<double>(run.stored_floats)));
    }
    if (run.launches.empty()) depth += elements;  // nothing known: as if one after another
    depth += static_cast<double>(run.atomic_operations);
    return depth * u * input.sum_of_magnitudes();
}

}  // namespace warpgrade
