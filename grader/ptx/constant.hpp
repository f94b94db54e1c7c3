#pragma once

#include <cstdint>

#include "ptx/cursor.hpp"
#include "ptx/literal.hpp"

namespace warpgrade::ptx {

// A constant expression of literals: unary + - ~ !, then * / % + - << >> & ^ | with the precedence of C, and
// parentheses. Floating-point literals take a sign and nothing else. Fails at the cursor when there is none.
Literal parse_constant(Cursor& cursor);

// Whether the next token can start a constant: a number or a sign.
bool starts_constant(const Cursor& cursor);

// Zero or more `+ constant` or `- constant`: what may follow a name or a register inside an address.
std::int64_t parse_offset(Cursor& cursor);

}  // namespace warpgrade::ptx
