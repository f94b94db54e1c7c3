#include "ptx/variable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace warpgrade::ptx {

namespace {

constexpr std::size_t most_dimensions = 16;

}  // namespace

Space space_named(std::string_view directive) {
    const std::string_view word = directive.substr(1, directive.find(':') - 1);
    if (word == "shared") return Space::shared;
    if (word == "global") return Space::global;
    if (word == "const") return Space::constant;
    if (word == "local") return Space::local;
    if (word == "param") return Space::param;
    if (word == "reg") return Space::reg;
    if (word == "sreg") return Space::sreg;
    return Space::generic;
}

bool skip_attribute(Cursor& cursor) {
    if (!cursor.accept_directive(".attribute")) return false;
    bool is_managed = false;
    int open = 0;
    do {
        if (cursor.peek().is('(')) ++open;
        if (cursor.peek().is(')')) --open;
        if (open == 0 && !cursor.peek().is(')')) {
            cursor.fail_expected("`(` after `.attribute`");
            return false;
        }
        is_managed = cursor.take().text == ".managed" || is_managed;
    } while (open > 0 && !cursor.at_end());
    if (open > 0) cursor.fail_expected("`)` after the attributes");
    return is_managed;
}

Qualifiers parse_qualifiers(Cursor& cursor) {
    Qualifiers qualifiers;
    bool is_pointer = false;  // .param .u64 .ptr .global .align 16: what follows describes the memory pointed to
    while (cursor.peek().kind == Token::Kind::directive) {
        const Token token = cursor.peek();
        if (token.text == ".attribute") {
            qualifiers.is_managed = skip_attribute(cursor) || qualifiers.is_managed;
            continue;
        }
        cursor.take();
        const Type type = type_named(token.text.substr(1));
        if (type != Type::none) {
            qualifiers.type = type;
        } else if (token.text == ".align") {
            const std::uint64_t align = cursor.expect_count("an alignment", std::numeric_limits<std::uint64_t>::max());
            if (!std::has_single_bit(align))
                cursor.fail(token, fmt::format("an alignment of {} is no power of two", align));
            if (!is_pointer) qualifiers.align_bytes = align;
        } else if (token.text == ".v2" || token.text == ".v4" || token.text == ".v8") {
            qualifiers.vector_size = token.text[2] - '0';
        } else if (token.text == ".ptr") {
            is_pointer = true;
        } else if (!is_pointer || space_named(token.text) == Space::generic) {
            cursor.fail(token, fmt::format("{} is not supported in a declaration", quoted(token)));
        }
    }
    if (qualifiers.type == Type::none) cursor.fail_expected("a type, such as `.b32`");
    return qualifiers;
}

Variable parse_declarator(Cursor& cursor, Space space, const Qualifiers& qualifiers) {
    Variable variable;
    variable.space = space;
    variable.type = qualifiers.type;
    variable.is_managed = qualifiers.is_managed;
    const Token name = cursor.peek();
    variable.name = cursor.expect_word("a name");
    std::vector<std::uint64_t> dimensions;
    while (cursor.accept('[')) {
        const bool is_open = dimensions.empty() && cursor.peek().is(']');
        dimensions.push_back(is_open ? 0 : cursor.expect_count("an array size", largest_variable_bytes));
        cursor.expect(']', "after the array size");
        if (dimensions.size() > most_dimensions) cursor.fail(name, "an array of too many dimensions");
    }
    if (qualifiers.type == Type::pred && space != Space::reg)
        cursor.fail(name, fmt::format("{} cannot be a .pred: only registers can", quoted(name)));
    if (qualifiers.vector_size > 1) dimensions.push_back(static_cast<std::uint64_t>(qualifiers.vector_size));
    const auto element_bytes = static_cast<std::uint64_t>(size_bytes(qualifiers.type));
    const std::uint64_t vector_bytes = element_bytes * static_cast<std::uint64_t>(qualifiers.vector_size);
    variable.align_bytes =
        std::max<std::uint64_t>(qualifiers.align_bytes > 0 ? qualifiers.align_bytes : vector_bytes, 1);
    // `[]` counts as one element until its initialiser says more: every product below then stays in range.
    variable.bytes = element_bytes;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        if (dimensions[d] == 0 && d == 0) continue;
        if (dimensions[d] == 0) {
            cursor.fail(name, fmt::format("the array {} has no elements", quoted(name)));
            return variable;
        }
        if (variable.bytes > largest_variable_bytes / dimensions[d]) {
            cursor.fail(name, fmt::format("the array {} is too large", quoted(name)));
            return variable;
        }
        variable.bytes *= dimensions[d];
    }
    const bool is_open = !dimensions.empty() && dimensions[0] == 0;
    if (cursor.accept('=')) parse_initialiser(cursor, dimensions, variable);
    if (is_open && __builtin_mul_overflow(variable.bytes, dimensions[0], &variable.bytes))
        cursor.fail(name, fmt::format("the array {} is too large", quoted(name)));
    return variable;
}

std::vector<Variable> parse_parameters(Cursor& cursor) {
    std::vector<Variable> parameters;
    if (!cursor.expect('(', "before the parameters") || cursor.accept(')')) return parameters;
    do {
        const Token space = cursor.peek();
        if (!space.is_directive(".param") && !space.is_directive(".reg")) {
            cursor.fail_expected("`.param` or `)`");
            break;
        }
        cursor.take();
        const Qualifiers qualifiers = parse_qualifiers(cursor);
        parameters.push_back(parse_declarator(cursor, space_named(space.text), qualifiers));
    } while (cursor.accept(','));
    cursor.expect(')', "after the parameters");
    return parameters;
}

}  // namespace warpgrade::ptx
