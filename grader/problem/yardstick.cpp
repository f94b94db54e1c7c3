#include "problem/yardstick.hpp"

#include <array>

namespace warpgrade {
namespace {

constexpr std::array<std::string_view, 3> yardstick_names{"copy", "read", "compute"};
constexpr std::array<std::string_view, 3> yardstick_words{"copy", "read", "FMA loop"};

}  // namespace

std::string_view to_string(Yardstick yardstick) { return yardstick_names.at(static_cast<std::size_t>(yardstick)); }

std::string_view words_of(Yardstick yardstick) { return yardstick_words.at(static_cast<std::size_t>(yardstick)); }

}  // namespace warpgrade
