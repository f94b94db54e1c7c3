// Where a kernel turns floats into something narrower, read off its PTX: said of a sum that is off by more than float
// additions explain.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpgrade {

struct NarrowValue {
    int line = 0;      // of the submission
    std::string into;  // "half precision, which keeps 11 bits of each value"
};
// The first such place; nothing where there is none. `ptx`: of the file `path`.
std::optional<NarrowValue> narrow_value(std::string_view ptx, const std::string& path);

}  // namespace warpgrade
