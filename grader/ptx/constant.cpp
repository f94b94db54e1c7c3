#include "ptx/constant.hpp"

#include <fmt/format.h>

namespace warpgrade::ptx {

bool starts_constant(const Cursor& cursor) {
    const Token& token = cursor.peek();
    return token.kind == Token::Kind::number || token.is('-') || token.is('+') || token.is('~') || token.is('!');
}

namespace {

constexpr int deepest_expression = 32;

// The binary operator at the cursor and its precedence in C; 0 if there is none. `<<` is two tokens.
int precedence(const Cursor& cursor) {
    const Token& token = cursor.peek();
    if (token.kind != Token::Kind::punctuation) return 0;
    switch (token.text[0]) {
        case '*':
        case '/':
        case '%': return 6;
        case '+':
        case '-': return 5;
        case '<':
        case '>': return cursor.peek_next().is(token.text[0]) ? 4 : 0;
        case '&': return 3;
        case '^': return 2;
        case '|': return 1;
        default: return 0;
    }
}

Literal parse_binary(Cursor& cursor, int weakest, int depth);

Literal negated(const Literal& literal) {
    switch (literal.kind) {
        case Literal::Kind::f32: return {literal.kind, literal.bits ^ 0x80000000U};
        case Literal::Kind::f64: return {literal.kind, literal.bits ^ 0x8000000000000000U};
        case Literal::Kind::integer: break;
    }
    return {literal.kind, 0 - literal.bits};
}

Literal parse_unary(Cursor& cursor, int depth) {
    const Token token = cursor.peek();
    if (depth > deepest_expression) {
        cursor.fail(token, "a constant expression that is nested too deeply");
        return {};
    }
    if (cursor.accept('-')) return negated(parse_unary(cursor, depth + 1));
    if (cursor.accept('+')) return parse_unary(cursor, depth + 1);
    if (cursor.accept('~')) return {Literal::Kind::integer, ~parse_unary(cursor, depth + 1).bits};
    if (cursor.accept('!')) return {Literal::Kind::integer, parse_unary(cursor, depth + 1).bits == 0 ? 1U : 0U};
    if (cursor.accept('(')) {
        const Literal inner = parse_binary(cursor, 1, depth + 1);
        cursor.expect(')', "after the constant expression");
        return inner;
    }
    if (token.kind != Token::Kind::number) {
        cursor.fail_expected("a constant");
        return {};
    }
    cursor.take();
    const auto literal = read_literal(token.text);
    if (!literal) cursor.fail(token, fmt::format("malformed constant {}", quoted(token)));
    return literal.value_or(Literal{});
}

std::uint64_t apply(Cursor& cursor, const Token& op, std::uint64_t left, std::uint64_t right) {
    const auto signed_left = static_cast<std::int64_t>(left);
    const auto signed_right = static_cast<std::int64_t>(right);
    switch (op.text[0]) {
        case '*': return left * right;
        case '+': return left + right;
        case '-': return left - right;
        case '&': return left & right;
        case '^': return left ^ right;
        case '|': return left | right;
        case '<': return right < 64 ? left << right : 0;
        case '>': return right < 64 ? static_cast<std::uint64_t>(signed_left >> right) : 0;
        default: break;
    }
    if (right == 0) {
        cursor.fail(op, "a division by zero in a constant expression");
        return 0;
    }
    if (signed_right == -1) return op.text[0] == '/' ? 0 - left : 0;  // the one quotient that does not fit
    return static_cast<std::uint64_t>(op.text[0] == '/' ? signed_left / signed_right : signed_left % signed_right);
}

Literal parse_binary(Cursor& cursor, int weakest, int depth) {
    Literal left = parse_unary(cursor, depth);
    for (int strength = precedence(cursor); strength >= weakest && strength != 0; strength = precedence(cursor)) {
        const Token op = cursor.take();
        if (op.is('<') || op.is('>')) cursor.take();
        const Literal right = parse_binary(cursor, strength + 1, depth + 1);
        if (left.kind != Literal::Kind::integer || right.kind != Literal::Kind::integer) {
            cursor.fail(op, "arithmetic on floating-point constants is not supported");
            return {};
        }
        left.bits = apply(cursor, op, left.bits, right.bits);
    }
    return left;
}

}  // namespace

Literal parse_constant(Cursor& cursor) { return parse_binary(cursor, 1, 0); }

std::int64_t parse_offset(Cursor& cursor) {
    std::uint64_t offset = 0;
    while (cursor.peek().is('+') || cursor.peek().is('-')) {
        const Token sign = cursor.take();
        const Literal term = parse_binary(cursor, 6, 0);
        if (term.kind != Literal::Kind::integer) cursor.fail(sign, "an offset must be an integer");
        offset = sign.is('+') ? offset + term.bits : offset - term.bits;
    }
    return static_cast<std::int64_t>(offset);
}

}  // namespace warpgrade::ptx
