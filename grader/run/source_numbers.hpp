// Whole numbers that a submission names, and the extents of its arrays in shared memory, read off its text.
//
// Theory of operation. `constexpr int ROWS = THREADS / TILE;` and `#define TILE 32`, from above to below, as far as an
// expression is made of numbers and of names known by then. Whoever uses a value compares it with what the compiler
// made of it (an array's bytes), so that what is said of it is true where the text is not what it seems.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

struct SourceNumber {
    std::int64_t value = 0;
    int line = 0;
    std::set<std::string, std::less<>> names;  // that it is computed from, and those that these are
};
std::map<std::string, SourceNumber, std::less<>> named_numbers(std::string_view source);

// How the only `__shared__` array of that name is declared: "tile[ROWS][TILE + 1]", and where. Line 0: there is none,
// or several.
struct SharedText {
    int line = 0;
    std::string text;
};
SharedText shared_text(std::string_view source, std::string_view name);

// Extents of `__shared__ T name[A][B]`, the outer one first; empty where there is no such array, two, or one extent is
// no number by the names above.
std::vector<std::int64_t> shared_extents(std::string_view source, std::string_view name);

}  // namespace warpgrade
