// Where on a line of the submission an array is read, or stored to. A compiler says of an access which line it is on,
// and often no more.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source/facts.hpp"
#include "vgpu/finding.hpp"

namespace warpgrade {

struct AccessPlace {
    int column = 0;  // 1-based; 0: not known
    int length = 0;
};

// Of `name`, on the side that the access is on; or, where the line calls the buffer by another name, of the only array
// on that side, apart from `others`, which it cannot be.
AccessPlace access_place(const source::Facts& facts, int line, std::string_view name, vgpu::AccessKind access,
                         const std::set<std::string_view>& others = {});

// The names that `__shared__` arrays have in the text.
std::set<std::string_view> shared_names(const source::Facts& facts);

// The only shared array of that name, no scalar; nullptr: there is none, or several.
const source::SharedArray* only_shared_array(const source::Facts& facts, std::string_view name);
// Its extents, the outer one first; empty where one is no number by the constants of the text. Whoever uses one
// compares it with what the compiler made of it (an array's bytes).
std::vector<std::int64_t> shared_extents(const source::Facts& facts, std::string_view name);

// The array that the line stores to: "out" of `out[i] = in[j];`; "" where there is none, or several.
std::string_view stored_array(const source::Facts& facts, int line);

}  // namespace warpgrade
