// Where a kernel turns elements into something that keeps fewer bits of them, read off its PTX: said of sums that are
// off by more than float additions explain, and of elements that are off by little.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpgrade {

struct NarrowValue {
    int line = 0;      // of the submission
    std::string into;  // "half precision, which keeps 11 bits of each value"
};
// The first such place; nothing where there is none. `ptx`: of the file
// `path`; `are_whole`: the elements are whole numbers.
std::optional<NarrowValue> narrow_value(std::string_view ptx, const std::string& path, bool are_whole);

}  // namespace warpgrade
