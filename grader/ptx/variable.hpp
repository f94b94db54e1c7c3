// Declarations of variables and parameters (PTX manual, "State Spaces, Types, and Variables").
#pragma once

#include <vector>

#include "ptx/cursor.hpp"
#include "ptx/module.hpp"

namespace warpgrade::ptx {

// No variable may be larger: as NVRTC has it, and eight of them are still counted in 64 bits.
inline constexpr std::uint64_t largest_variable_bytes = std::uint64_t{1} << 61;

// What stands between the state space and the names: `.align 4 .v2 .f32`.
struct Qualifiers {
    Type type = Type::none;
    std::uint64_t align_bytes = 0;  // 0 = not written
    int vector_size = 1;            // .v2, .v4
    bool is_managed = false;
};
Qualifiers parse_qualifiers(Cursor& cursor);

// `.attribute(.managed)` at the cursor, if there is one, skipped. Whether it says .managed.
bool skip_attribute(Cursor& cursor);

// The space a directive names, or Space::generic if it names none: ".shared" -> shared, ".shared::cta" too.
Space space_named(std::string_view directive);

// One `name[3][4] = {...}` after its qualifiers, up to but without the `,` or `;`.
Variable parse_declarator(Cursor& cursor, Space space, const Qualifiers& qualifiers);

// `(.param .b64 a, .reg .b32 b)` with both parentheses.
std::vector<Variable> parse_parameters(Cursor& cursor);

// `= ...` of a variable of `element` sized `element_bytes`; `dimensions` outermost first, [0] may be 0 for `[]` and is
// then set to what the initialiser needs. Fills initial and initial_addresses.
void parse_initialiser(Cursor& cursor, std::vector<std::uint64_t>& dimensions, Variable& variable);

}  // namespace warpgrade::ptx
