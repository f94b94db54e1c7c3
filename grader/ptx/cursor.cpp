#include "ptx/cursor.hpp"

#include <fmt/format.h>

#include "ptx/literal.hpp"

namespace warpgrade::ptx {

Cursor::Cursor(std::string_view text) : lexer_(text), current_(lexer_.next()), next_(lexer_.next()) {}

Token Cursor::take() {
    Token taken = current_;
    if (current_.kind == Token::Kind::invalid) {
        const bool comment = current_.text == "/*";
        const bool text = current_.text.starts_with('"');
        fail(current_, comment ? "a comment that never ends"
                       : text  ? "a string that never ends"
                               : fmt::format("a character that PTX does not have: {}", quoted(current_)));
        return taken;
    }
    if (at_end()) return taken;
    current_ = next_;
    next_ = lexer_.next();
    return taken;
}

bool Cursor::accept(char punctuation) {
    if (!current_.is(punctuation)) return false;
    take();
    return true;
}

bool Cursor::accept_directive(std::string_view word) {
    if (!current_.is_directive(word)) return false;
    take();
    return true;
}

bool Cursor::expect(char punctuation, std::string_view where) {
    if (accept(punctuation)) return true;
    fail_expected(fmt::format("`{}` {}", punctuation, where));
    return false;
}

std::string_view Cursor::expect_word(std::string_view what) {
    if (current_.kind == Token::Kind::word) return take().text;
    fail_expected(what);
    return {};
}

std::string_view Cursor::expect_string(std::string_view what) {
    if (current_.kind == Token::Kind::string) return take().text;
    fail_expected(what);
    return {};
}

std::uint64_t Cursor::expect_count(std::string_view what, std::uint64_t limit) {
    if (current_.kind != Token::Kind::number) {
        fail_expected(what);
        return 0;
    }
    const Token token = take();
    const auto literal = read_literal(token.text);
    if (!literal || literal->kind != Literal::Kind::integer) {
        fail(token, fmt::format("expected {}, found {}", what, quoted(token)));
        return 0;
    }
    if (literal->bits > limit) {
        fail(token, fmt::format("{} of {} is more than the {} supported", what, quoted(token), limit));
        return 0;
    }
    return literal->bits;
}

void Cursor::fail(const Token& at, std::string problem) { fail(at, std::move(problem), location_in_force); }

void Cursor::fail(const Token& at, std::string problem, const Location& location) {
    if (failure_) return;
    failure_ = Failure{std::move(problem), at, location};
    current_ = Token{Token::Kind::end, {}, at.line, at.in_inline_asm, at.behind_inline_asm};
    next_ = current_;
}

void Cursor::fail_expected(std::string_view what) {
    if (current_.kind == Token::Kind::invalid) {
        take();  // says what is wrong with it
        return;
    }
    fail(current_, fmt::format("expected {}, found {}", what, quoted(current_)));
}

std::string printable(std::string_view text, std::size_t limit) {
    std::string out;
    for (const char c : text) {
        if (out.size() >= limit) return out + "...";
        if (c == '\t') {
            out += ' ';
        } else if (c < 0x20 || c > 0x7e) {
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            out += c;
        }
    }
    return out;
}

std::string quoted(const Token& token) {
    if (token.kind == Token::Kind::end) return "the end of the text";
    if (token.kind == Token::Kind::string) return fmt::format("the string \"{}\"", printable(token.text));
    return fmt::format("`{}`", printable(token.text));
}

}  // namespace warpgrade::ptx
