// Constants of PTX (manual, "Constants"): integers in four bases, 0f and 0d bit patterns, decimal floating point.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpgrade::ptx {

class Cursor;

struct Literal {
    enum class Kind : std::uint8_t { integer, f32, f64 };
    Kind kind = Kind::integer;
    std::uint64_t bits = 0;
};

// One unsigned literal as the lexer cuts it; nothing if malformed or wider than 64 bits.
std::optional<Literal> read_literal(std::string_view text);

// A constant expression of literals: unary + - ~ !, then * / % + - << >> & ^ | with the precedence of C, and
// parentheses. Floating-point literals take a sign and nothing else. Fails at the cursor when there is none.
Literal parse_constant(Cursor& cursor);

// Whether the next token can start a constant: a number or a sign.
bool starts_constant(const Cursor& cursor);

// Zero or more `+ constant` or `- constant`: what may follow a name or a register inside an address.
std::int64_t parse_offset(Cursor& cursor);

}  // namespace warpgrade::ptx
