// Constants of PTX (manual, "Constants"): integers in four bases, 0f and 0d bit patterns, decimal floating point.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpgrade::ptx {

struct Literal {
    enum class Kind : std::uint8_t { integer, f32, f64 };
    Kind kind = Kind::integer;
    std::uint64_t bits = 0;
};

// One unsigned literal as the lexer cuts it; nothing if malformed or wider than 64 bits.
std::optional<Literal> read_literal(std::string_view text);

}  // namespace warpgrade::ptx
