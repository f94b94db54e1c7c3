// The parser's place in the text. The first failure sticks: from then on the cursor stands at the end of the text, so
// every loop of the parser must stop there, and nothing needs to pass errors upwards.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/lexer.hpp"
#include "ptx/module.hpp"

namespace warpgrade::ptx {

struct Failure {
    std::string problem;  // "expected `;` after the operands, found `ret`"
    Token at;
    Location location;  // the source line in force there; line 0 = none
};

struct SymbolReference {
    Token at;
    Location location;
};

class Cursor {
public:
    explicit Cursor(std::string_view text);

    const Token& peek() const { return current_; }
    const Token& peek_next() const { return next_; }
    bool at_end() const { return current_.kind == Token::Kind::end; }
    Token take();

    bool accept(char punctuation);
    bool accept_directive(std::string_view word);
    // False, and a failure, when the next token is another one. `where` completes "expected `;` ...".
    bool expect(char punctuation, std::string_view where);
    std::string_view expect_word(std::string_view what);
    std::string_view expect_string(std::string_view what);
    // A literal that must lie in [0, limit].
    std::uint64_t expect_count(std::string_view what, std::uint64_t limit);

    void fail(const Token& at, std::string problem);
    void fail(const Token& at, std::string problem, const Location& location);
    // "expected WHAT, found `ret`" at the next token.
    void fail_expected(std::string_view what);
    bool failed() const { return failure_.has_value(); }
    const std::optional<Failure>& failure() const { return failure_; }

    // Names that must turn out to be variables or functions of the module once the whole text has been read.
    std::vector<SymbolReference> symbol_references;

    // What initialisers may still leave out in the middle of arrays: a short text must not fill the memory with zeros.
    std::uint64_t padding_left_bytes = std::uint64_t{64} << 20;

    // The outermost frame of the `.loc` in force, kept up to date by the function parser.
    Location location_in_force;

private:
    Lexer lexer_;
    Token current_;
    Token next_;
    std::optional<Failure> failure_;
};

// A token as a message quotes it: "`ret`", "the end of the text".
std::string quoted(const Token& token);
// Cut to `limit` characters, with bytes that are not printable ASCII escaped.
std::string printable(std::string_view text, std::size_t limit = 48);

}  // namespace warpgrade::ptx
