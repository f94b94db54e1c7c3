// A submission's text as tokens.
//
// Theory of operation. Every byte of the text belongs to exactly one token: blanks, comments and the preprocessor's
// lines are tokens too. The tokens that the compiler parses are `code`, each bracket with its partner. A branch that
// the kit's compilation leaves out (`#if 0`, `#ifndef __WARPGRADE__`, the #else of any other) is not code. The bodies
// of macros follow the file's code in the same list, so that an expression there is read like any other.
//
// The text does not have to be a program. A literal ends with its line. Where the curly brackets do not balance, the
// indentation decides which of them has lost its partner. `>` is always a token of its own, as the end of template
// arguments is not known here; the parser puts `>>` together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::source {

// Bytes of the text; line and column of the first one, from 1. Line 0: there is none.
struct Range {
    std::size_t offset = 0, length = 0;
    int line = 0, column = 0;
    std::size_t end() const { return offset + length; }
    bool operator==(const Range&) const = default;
};

enum class TokenKind : std::uint8_t { blank, comment, directive, word, number, text, sign };

struct Token {
    TokenKind kind = TokenKind::blank;
    Range at;
};

using TokenId = std::uint32_t;
inline constexpr TokenId no_token = 0xffffffff;

struct CodeToken {
    std::string_view text;
    TokenKind kind = TokenKind::sign;
    Range at;
    TokenId partner = no_token;  // of a bracket
    TokenId end = no_token;      // of a curly bracket without a partner: the first token that is not inside
    int indent = 0;              // column of the first token on its line
    bool is_glued = false;       // the next token follows without a blank
};

// #define NAME BODY; `first` to `last`: the body's tokens in `code`.
struct Macro {
    std::string_view name;
    Range at;  // of the name
    bool has_parameters = false;
    std::vector<std::string_view> parameters;
    TokenId first = 0, last = 0;
};

struct Tokens {
    std::shared_ptr<const std::string> text;  // the views above look into it
    std::vector<Token> all;
    std::vector<CodeToken> code;
    TokenId file_end = 0;                // code[file_end] and later: bodies of macros
    std::vector<TokenId> statement_end;  // for each token: the first `;`, `{` or `}` from there on
    std::vector<Macro> macros;
    std::vector<std::string_view> includes;  // "cstdio"
    std::vector<int> directive_lines;
    int line_count = 0;
};

// Never fails; linear in the size of the text.
Tokens tokens_of(std::string_view text);

// Where the bracket at `open` ends: its partner, or what a statement without one would end with.
TokenId closing(const Tokens& tokens, TokenId open);

// Fills `partner` of the brackets in `code`. `)` and `]` never close over a curly bracket. Internal to source/.
void match_brackets(Tokens& tokens);

}  // namespace warpgrade::source
