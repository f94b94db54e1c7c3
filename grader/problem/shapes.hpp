// Helpers for lists of shapes: reproducible choices from a seed, and reading "--shape".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "problem/case.hpp"

namespace warpgrade {

// A stream of numbers from a seed; the same on every machine (std:: distributions are not).
class Choices {
public:
    explicit Choices(std::uint64_t seed) : seed_(seed) {}
    // first <= result <= last
    std::int64_t between(std::int64_t first, std::int64_t last);
    // An odd number with no divisor below 12, in the range: tiles of every size leave a ragged edge.
    std::int64_t rough_between(std::int64_t first, std::int64_t last);

private:
    std::uint64_t seed_;
    std::uint64_t count_ = 0;
};

// Of several element types the one that is shown and looked at most: float, where it is among them or there is none.
std::string shown_type(std::span<const std::string> types);

// Reads `count` extents from 0 to 2^40 separated by 'x'. `example` is what the message shows. Error: usage.
Result<Shape> parse_extents(std::string_view text, std::size_t count, std::string_view example);

// Elements of a shape that is worth timing: 4 times the L2 and 100 us of traffic at the peak, where `bytes_each` is
// what an element moves; no more than `share`-ths of the free memory allow, nor than 2^28.
std::uint64_t timing_elements(const TimingLimits& limits, std::uint64_t bytes_each, std::uint64_t share);

}  // namespace warpgrade
