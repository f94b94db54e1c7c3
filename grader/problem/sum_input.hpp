// Contents that are made to be added up, and the sums they must give.
//
// Theory of operation. Three kinds of contents (three tiers): whole numbers, or multiples of 2^-16, so few and small
// that every partial sum is exact in float, so that any order of additions gives one answer bit by bit; fractions,
// compared with a sum in double within the bound of float summation; needles, a single element or a NaN or an infinity
// that must not get lost.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "problem/case.hpp"

namespace warpgrade {

enum class SumTier : std::uint8_t { exact, accuracy, needle, not_a_number, infinity };

class SumInput {
public:
    // contents: "whole", "fractions", "tenths", "cancellation", "needle_first", "needle_last", "needle_edge", "nan",
    // "infinity"; or "index", element i is i.
    SumInput(std::uint64_t n, std::uint64_t seed, std::string_view contents);

    SumTier tier() const { return tier_; }
    std::uint64_t n() const { return n_; }
    float element(std::uint64_t i) const { return made_.empty() ? make(i) : made_[i]; }
    // All elements, made before: sums need not make them again. They stay the caller's.
    void take_from(std::span<const float> made) { made_ = made; }
    void fill(std::span<float> values, std::uint64_t first = 0) const;  // with the elements from `first` on
    bool has_fractions() const { return unit_ != 1; }
    std::uint64_t sparse() const { return sparse_; }  // see below
    std::uint64_t needle() const { return needle_; }  // index; only where tier() is not exact or accuracy

    // Sum of the elements in [first, last), exact for the exact tier.
    double sum(std::uint64_t first, std::uint64_t last) const;
    double sum() const { return sum(0, n_); }
    double sum_of_magnitudes() const;

private:
    float make(std::uint64_t i) const;

    std::uint64_t n_;
    std::uint64_t seed_;
    std::span<const float> made_;
    std::string contents_;
    bool is_index_;
    SumTier tier_ = SumTier::exact;
    std::uint64_t needle_ = 0;
    std::uint32_t largest_ = 15;  // exact: elements are 1 to this
    float unit_ = 1;              // exact: what elements are multiples of
    std::uint64_t sparse_ = 0;    // exact, above 2^23 elements: one element in this many is 1, the others 0
};

// How far a float sum of the input may be from the true one. u = 2^-24; every addition rounds by at most u of its
// result, so the error is at most (depth of the tree of additions) * u * sum of |x| (Higham, Accuracy and Stability of
// Numerical Algorithms, 4.2). The depth is read off the run, launch by launch: what a thread adds one after another, at
// least its even share and at most what the instructions of the longest block were enough for; then the threads of a
// block, which may be added one after another as well, and log2 of the blocks. A launch leaves at most one float a
// thread to the next, and no more than it stored. n atomic additions may all be to one place, a chain of depth n. 4
// more for what is not seen.
double sum_tolerance(const SumInput& input, const ObservedRun& run);

}  // namespace warpgrade
