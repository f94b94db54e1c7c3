// A whole number twice: as the bits that the GPU has, and as it would be without a limit.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/module.hpp"

namespace warpgrade {

using Wide = __int128;

struct ExactValue {
    bool is_known = false;
    std::uint64_t bits = 0;
    Wide exact = 0;
    int origin = -1;  // of the first overflow it comes from, an index into the walk's overflows
};
inline ExactValue known_value(std::uint64_t bits, Wide exact) { return {true, bits, exact, -1}; }
// Taken for what the bits are: unsigned numbers that have wrapped may be meant so.
ExactValue as_it_is(ptx::Type type, std::uint64_t bits);

// In either sign.
bool is_what_bits_say(const ExactValue& value);

// Of an instruction the last two: of cvt.s64.s32 the second is what it reads.
std::pair<ptx::Type, ptx::Type> types_of(const ptx::Instruction& in);
bool is_whole(ptx::Type type);
// What the bits stand for, read as this type.
Wide read_as(ptx::Type type, std::uint64_t bits);
std::uint64_t cut_to(ptx::Type type, std::uint64_t bits);
ptx::Type widened(ptx::Type type);  // to 64 bits

// What an instruction makes of operands of this type.
struct Computed {
    ptx::Type type = ptx::Type::none;
    Wide exact = 0, found = 0;
    bool may_outgrow = true;  // false: `found` is taken for what it is
};
// `sum`: the third operand of mad.wide, in its wide type. Nothing: it is not followed.
std::optional<Computed> computed(const ptx::Instruction& in, ptx::Type type, std::vector<ExactValue> from,
                                 const ExactValue& sum);
// Of predicates; known where one operand decides.
ExactValue logic(std::string_view opcode, const ExactValue& a, const ExactValue& b);
// "lt", "lo", ..., of setp.
bool holds(std::string_view comparison, Wide x, Wide y);

}  // namespace warpgrade
