// What a shape of a described problem comes to: names with their numbers, extents of buffers, bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "problem/case.hpp"
#include "problem/description.hpp"
#include "problem/expression.hpp"
#include "problem/shapes.hpp"

namespace warpgrade {

inline constexpr std::uint64_t most_buffer_bytes = std::uint64_t{4} << 30;  // of a graded case, all together

// A shape with everything that hangs on it.
struct DescribedValues {
    std::vector<std::int64_t> extents;                      // then numbers, all of them
    ExpressionScope scope;                                  // names; elements(), bytes()
    std::vector<std::vector<std::int64_t>> buffer_extents;  // by buffer of the description
    std::vector<std::uint64_t> elements, bytes;             // by buffer
    std::uint64_t all_bytes = 0;
};

// Error: an extent that is negative, too large for its parameter, or whose buffers have more bytes than 2^40. Blame
// usage, without a place.
Result<DescribedValues> values_of(const ProblemDescription& problem, const std::vector<std::int64_t>& extents,
                                  std::string_view type);
// Of an expression that was evaluated when the file was read; throws where it has no value all the same.
std::int64_t number_of(const std::string& expression, const DescribedValues& values);

// The shapes that a list of the file stands for. `scope` has what the list may name besides constants and draws.
struct ShapeDraw {
    Choices choose;
    bool is_usual = false;  // seed 0 of timing shapes: near(v, a, b) is v
};
ExpressionScope draw_scope(const ProblemDescription& problem, ShapeDraw& draw);
// Error: as values_of, or an expression without a value.
Result<std::vector<Shape>> shapes_from(const ProblemDescription& problem, const DescribedShape& source,
                                       const ExpressionScope& scope, const std::string& type);
// Adds `wanted` and the names of `let`.
Status add_timing_names(const ProblemDescription& problem, const TimingLimits& limits, ExpressionScope& scope);

std::string class_of(const ProblemDescription& problem, const std::vector<std::int64_t>& extents);

}  // namespace warpgrade
