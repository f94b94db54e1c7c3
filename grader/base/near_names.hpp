// "Did you mean": the known name closest to a misspelt one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpgrade {

// Damerau-Levenshtein distance (adjacent transpositions count once), in characters.
int edit_distance(std::string_view a, std::string_view b);

// The closest of `known`, if it is within a third of the length of `name` (at least 1, at most 3 edits).
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known);
// "did you mean `x`?", or `otherwise`.
std::string near_or(std::string_view name, std::span<const std::string> known, std::string otherwise = {});

}  // namespace warpgrade
