// PTX text -> tokens, as views into the text; nothing is copied. Comments, white space and `\` at the end of a line
// separate tokens and are skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpgrade::ptx {

struct Token {
    enum class Kind : std::uint8_t {
        end,          // of the text, for ever
        word,         // ld  %r1  $L__BB0_2  _     never holds a dot
        directive,    // .loc  .b32  .shared::cta  .2d     the dot is part of the text
        number,       // 42  0x1FU  0f3F800000  1.5e-3     never signed
        string,       // "text"     without the quotes, escapes untouched
        punctuation,  // one character of { } ( ) [ ] < > , ; : = + - * / % & | ^ ~ ! @ ?
        invalid       // anything else; `text` is the offending part
    };
    Kind kind = Kind::end;
    std::string_view text;
    int line = 0;                // 1-based line of the PTX text
    bool in_inline_asm = false;  // between the compiler's comments `// begin inline asm` and `// end inline asm`
    // In one, or in what follows it: an asm() may leave a statement open, take a name that the compiler uses, or
    // hold these comments itself.
    bool behind_inline_asm = false;

    bool is(char character) const { return kind == Kind::punctuation && text[0] == character; }
    bool is_directive(std::string_view word) const { return kind == Kind::directive && text == word; }
};

class Lexer {
public:
    // The text must outlive the tokens.
    explicit Lexer(std::string_view text) : text_(text) {}
    Token next();

private:
    bool skip_blank(Token& problem);
    void read_comment_marker(std::string_view comment);
    Token take(Token::Kind kind, std::size_t length);
    std::size_t word_length(std::size_t from) const;
    std::size_t number_length() const;
    Token string();
    char at(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }

    std::string_view text_;
    std::size_t position_ = 0;
    int line_ = 1;
    bool in_inline_asm_ = false;
    bool behind_inline_asm_ = false;
};

}  // namespace warpgrade::ptx
