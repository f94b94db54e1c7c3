// Where on a line of the submission an array is read, or stored to.
//
// Theory of operation. A compiler says of an access which line it is on, and often no more. The line's text is cut into
// statements; what stands in front of a statement's = with a subscript is stored to, what stands behind it or in
// brackets is read, and with += it is both.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "vgpu/finding.hpp"

namespace warpgrade {

struct AccessPlace {
    int column = 0;  // 1-based; 0: not known
    int length = 0;
};

// Of `name`, on the side that the access is on; or, where the line calls the buffer by another name, of the only array
// on that side, apart from `others`, which it cannot be.
AccessPlace access_place(std::string_view line, std::string_view name, vgpu::AccessKind access,
                         const std::set<std::string, std::less<>>& others = {});

// The names that `__shared__` arrays have in the text.
std::set<std::string, std::less<>> shared_names(std::string_view source);

// The array that the line stores to: "out" of `out[i] = in[j];`; "" where there is none, or several.
std::string_view stored_array(std::string_view line);

}  // namespace warpgrade
