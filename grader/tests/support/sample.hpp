// Where tests run a second time, slower (under the sanitizers), they take one of so many of their cases.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace warpgrade::test {

// 1: all cases. WARPGRADE_ONE_OF=5: every fifth.
inline std::size_t one_of() {
    const char* number = std::getenv("WARPGRADE_ONE_OF");
    const long value = number == nullptr ? 1 : std::strtol(number, nullptr, 10);
    return value < 1 ? 1 : static_cast<std::size_t>(value);
}

}  // namespace warpgrade::test
