#include "grade/exact_value.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace warpgrade {

namespace {

bool is_signed(ptx::Type type) {
    return type == ptx::Type::s8 || type == ptx::Type::s16 || type == ptx::Type::s32 || type == ptx::Type::s64;
}

enum class Limit : std::uint8_t {
    none,            // without a limit, whatever the type is
    none_of_signed,  // and of 64 bits
    as_of_bits,      // the bits are all there is to it
};
struct Operation {
    std::string_view opcode;
    Limit limit;
    Wide (*of)(Wide a, Wide b);
};
constexpr Operation operations[]{
    {"add", Limit::none, [](Wide a, Wide b) { return a + b; }},
    {"sub", Limit::none, [](Wide a, Wide b) { return a - b; }},
    {"mul", Limit::none, [](Wide a, Wide b) { return a * b; }},
    {"shl", Limit::none, [](Wide a, Wide b) { return a * (Wide(1) << b); }},
    {"div", Limit::none_of_signed, [](Wide a, Wide b) { return a / b; }},
    {"rem", Limit::none_of_signed, [](Wide a, Wide b) { return a % b; }},
    {"shr", Limit::none_of_signed, [](Wide a, Wide b) { return a >> b; }},
    {"and", Limit::as_of_bits, [](Wide a, Wide b) { return a & b; }},
    {"or", Limit::as_of_bits, [](Wide a, Wide b) { return a | b; }},
    {"xor", Limit::as_of_bits, [](Wide a, Wide b) { return a ^ b; }},
    {"min", Limit::as_of_bits, [](Wide a, Wide b) { return std::min(a, b); }},
    {"max", Limit::as_of_bits, [](Wide a, Wide b) { return std::max(a, b); }},
};

}  // namespace

ExactValue as_it_is(ptx::Type type, std::uint64_t bits) {
    bits = cut_to(type, bits);
    return known_value(bits, ptx::size_bytes(type) == 4 ? Wide(static_cast<std::int32_t>(bits)) : read_as(type, bits));
}

bool is_what_bits_say(const ExactValue& value) {
    const Wide low = static_cast<std::uint32_t>(value.bits);
    const bool is_word = value.bits <= std::numeric_limits<std::uint32_t>::max();
    return is_word ? value.exact == low || value.exact == Wide(static_cast<std::int32_t>(value.bits))
                   : value.exact == Wide(value.bits) || value.exact == Wide(static_cast<std::int64_t>(value.bits));
}

std::pair<ptx::Type, ptx::Type> types_of(const ptx::Instruction& in) {
    std::pair<ptx::Type, ptx::Type> types{ptx::Type::none, ptx::Type::none};
    for (const std::string& word : in.modifiers) {
        const ptx::Type type = ptx::type_named(word);
        if (type == ptx::Type::none) continue;
        types.first = std::exchange(types.second, type);
    }
    return types;
}

bool is_whole(ptx::Type type) {
    switch (type) {
        case ptx::Type::s16:
        case ptx::Type::u16:
        case ptx::Type::b16:
        case ptx::Type::s32:
        case ptx::Type::u32:
        case ptx::Type::b32:
        case ptx::Type::s64:
        case ptx::Type::u64:
        case ptx::Type::b64: return true;
        default: return false;
    }
}

Wide read_as(ptx::Type type, std::uint64_t bits) {
    switch (ptx::size_bytes(type)) {
        case 1: return is_signed(type) ? Wide(static_cast<std::int8_t>(bits)) : Wide(static_cast<std::uint8_t>(bits));
        case 2: return is_signed(type) ? Wide(static_cast<std::int16_t>(bits)) : Wide(static_cast<std::uint16_t>(bits));
        case 4: return is_signed(type) ? Wide(static_cast<std::int32_t>(bits)) : Wide(static_cast<std::uint32_t>(bits));
        default: return is_signed(type) ? Wide(static_cast<std::int64_t>(bits)) : Wide(bits);
    }
}

std::uint64_t cut_to(ptx::Type type, std::uint64_t bits) {
    const int bytes = ptx::size_bytes(type);
    return bytes >= 8 ? bits : bits & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

ptx::Type widened(ptx::Type type) { return is_signed(type) ? ptx::Type::s64 : ptx::Type::u64; }

std::optional<Computed> computed(const ptx::Instruction& in, ptx::Type type, std::vector<ExactValue> from,
                                 const ExactValue& sum) {
    if (ptx::has_word(in, "hi") || ptx::has_word(in, "sat")) return std::nullopt;
    const bool is_wide = ptx::has_word(in, "wide");
    // Of unsigned numbers below zero nobody says that they overflow.
    for (ExactValue& value : from)
        if (is_wide && value.exact < 0 && !is_signed(type)) value.exact = read_as(type, value.bits);
    const auto read = [&](std::size_t i) { return read_as(type, from[i].bits); };
    const ptx::Type to = is_wide ? widened(type) : type;
    if (in.opcode == "neg" && from.size() == 1) return Computed{type, -from[0].exact, -read(0)};
    if (in.opcode == "mad" && from.size() == 3)
        return Computed{to, from[0].exact * from[1].exact + (is_wide ? sum : from[2]).exact,
                        read(0) * read(1) + (is_wide ? read_as(to, sum.bits) : read(2))};
    const auto operation =
        std::ranges::find_if(operations, [&](const Operation& one) { return one.opcode == in.opcode; });
    if (from.size() != 2 || operation == std::end(operations)) return std::nullopt;
    Wide second = read(1), exact_second = from[1].exact;
    if (in.opcode == "shl" || in.opcode == "shr") {
        if (from[1].bits >= 64) return std::nullopt;
        second = exact_second = Wide(from[1].bits);
    }
    if ((in.opcode == "div" || in.opcode == "rem") && (second == 0 || exact_second == 0)) return std::nullopt;
    const Wide found = operation->of(read(0), second);
    const bool may_outgrow = operation->limit == Limit::none || (operation->limit == Limit::none_of_signed &&
                                                                 (is_signed(type) || ptx::size_bytes(type) == 8));
    if (!may_outgrow) return Computed{type, found, found, false};
    return Computed{in.opcode == "mul" ? to : type, operation->of(from[0].exact, exact_second), found};
}

ExactValue logic(std::string_view opcode, const ExactValue& a, const ExactValue& b) {
    const bool x = a.bits != 0, y = b.bits != 0;
    if (opcode == "not" && a.is_known) return known_value(!x, !x);
    if (opcode == "and" && ((a.is_known && !x) || (b.is_known && !y))) return known_value(0, 0);
    if (opcode == "or" && ((a.is_known && x) || (b.is_known && y))) return known_value(1, 1);
    if (!a.is_known || !b.is_known) return {};
    if (opcode == "and") return known_value(x && y, x && y);
    if (opcode == "or") return known_value(x || y, x || y);
    return opcode == "xor" ? known_value(x != y, x != y) : ExactValue{};
}

bool holds(std::string_view comparison, Wide x, Wide y) {
    if (comparison == "lt" || comparison == "lo") return x < y;
    if (comparison == "le" || comparison == "ls") return x <= y;
    if (comparison == "gt" || comparison == "hi") return x > y;
    if (comparison == "ge" || comparison == "hs") return x >= y;
    return comparison == "ne" ? x != y : x == y;
}

}  // namespace warpgrade
