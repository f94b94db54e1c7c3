#include "ptx/literal.hpp"

#include <bit>
#include <charconv>

namespace warpgrade::ptx {

namespace {

std::optional<std::uint64_t> read_integer(std::string_view digits, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

std::optional<Literal> read_bit_pattern(std::string_view digits, std::size_t length, Literal::Kind kind) {
    if (digits.size() != length) return std::nullopt;
    const auto bits = read_integer(digits, 16);
    if (!bits) return std::nullopt;
    return Literal{kind, *bits};
}

std::optional<Literal> read_decimal_float(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return Literal{Literal::Kind::f64, std::bit_cast<std::uint64_t>(value)};
}

}  // namespace

std::optional<Literal> read_literal(std::string_view text) {
    const char second = text.size() > 1 && text[0] == '0' ? text[1] : '\0';
    if (second == 'f' || second == 'F') return read_bit_pattern(text.substr(2), 8, Literal::Kind::f32);
    if (second == 'd' || second == 'D') return read_bit_pattern(text.substr(2), 16, Literal::Kind::f64);
    int base = 10;
    std::string_view digits = text;
    if (second == 'x' || second == 'X') {
        base = 16;
        digits.remove_prefix(2);
    } else if (second == 'b' || second == 'B') {
        base = 2;
        digits.remove_prefix(2);
    } else if (text.find_first_of(".eE") != std::string_view::npos) {
        return read_decimal_float(text);
    } else if (second >= '0' && second <= '9') {
        base = 8;
        digits.remove_prefix(1);
    }
    if (digits.ends_with('U')) digits.remove_suffix(1);
    const auto value = read_integer(digits, base);
    if (!value) return std::nullopt;
    return Literal{Literal::Kind::integer, *value};
}

}  // namespace warpgrade::ptx
