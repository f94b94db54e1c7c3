// What is wrong with the sum of a block, told by how often it counts each of its elements.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpgrade {

// The counts of the elements that one block sums, which are a multiple of its threads.
struct BlockCounts {
    std::span<const std::uint32_t> counts;
    std::uint64_t threads = 0;
    bool has_shuffles = false;
};

enum class SumPart : std::uint8_t { unknown, loads, second_load, tree, shuffles, atomics, result };

struct CountPattern {
    std::string pattern, title, fact, help;
    SumPart part = SumPart::unknown;     // where it goes wrong
    std::vector<std::uint64_t> steps{};  // that are missing, or made twice
};

// Nothing where each is counted once, and where the counts follow no rule.
std::optional<CountPattern> pattern_of_counts(const BlockCounts& block);

// The counts of all elements of a shape, by the blocks of the first launch.
struct ShapeCounts {
    std::span<const std::uint32_t> counts;
    std::uint64_t threads = 0, blocks = 0;  // of a block, of that launch
};
std::optional<CountPattern> pattern_of_shape(const ShapeCounts& shape);
// What they have in common, as a title: "only the first 256 of 1000 elements are counted".
std::string counts_as_title(std::span<const std::uint32_t> counts);

// "in[0] to in[63] once, in[64] not at all"; `before` and `after` stand around each index.
std::string counts_in_words(std::span<const std::uint32_t> counts, const std::string& before, const std::string& after);

}  // namespace warpgrade
