// Which part of its elements a wrong sum is the sum of.
//
// Theory of operation. Only parts that some mistake leaves are tried, since many parts of whole numbers have equal
// sums: by blocks, by threads, by steps of a tree, by what does not fill a block.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "problem/problem.hpp"
#include "problem/sum_input.hpp"

namespace warpgrade {

struct SumMistake {
    std::string pattern, title, fact, help;
    Effect effect{};
};

// `scratch`: as the launches leave it.
std::optional<SumMistake> sum_of_a_part(double found, const SumInput& input, const ObservedRun& run,
                                        std::span<const std::byte> scratch);

}  // namespace warpgrade
