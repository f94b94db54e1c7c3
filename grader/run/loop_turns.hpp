// The values that the variable of a `for` takes, worked out of its head.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "run/guard_text.hpp"

namespace warpgrade {

struct LoopTurns {
    std::string variable;              // "j"
    std::vector<std::int64_t> values;  // one a turn; empty: none, or not known
};

// Of heads of one variable whose start, bound and step are whole numbers by the names of the text; `block_x`: what
// blockDim.x is. At most 64 turns.
LoopTurns turns_of(const LoopText& loop, std::string_view source, std::int64_t block_x);

// "128, 64 and 32"
std::string listed(const std::vector<std::int64_t>& values);

}  // namespace warpgrade
