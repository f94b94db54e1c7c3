#include "ptx/lexer.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace warpgrade::ptx {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool continues_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }
bool starts_word(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }

constexpr std::string_view punctuation_characters = "{}()[]<>,;:=+-*/%&|^~!@?";

}  // namespace

Token Lexer::take(Token::Kind kind, std::size_t length) {
    Token token{kind, text_.substr(position_, length), line_, in_inline_asm_, behind_inline_asm_};
    position_ += token.text.size();
    return token;
}

void Lexer::read_comment_marker(std::string_view comment) {
    if (comment.starts_with("// begin inline asm")) in_inline_asm_ = behind_inline_asm_ = true;
    if (comment.starts_with("// end inline asm")) in_inline_asm_ = false;
}

// False when a comment does not end; then `problem` is the token to hand out.
bool Lexer::skip_blank(Token& problem) {
    for (;;) {
        const char c = at(position_);
        if (c == '\n') {
            ++line_;
            ++position_;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            ++position_;
        } else if (c == '\\' &&
                   (at(position_ + 1) == '\n' || (at(position_ + 1) == '\r' && at(position_ + 2) == '\n'))) {
            ++position_;
        } else if (c == '/' && at(position_ + 1) == '/') {
            const std::size_t end = std::min(text_.find('\n', position_), text_.size());
            read_comment_marker(text_.substr(position_, end - position_));
            position_ = end;
        } else if (c == '/' && at(position_ + 1) == '*') {
            const std::size_t end = text_.find("*/", position_ + 2);
            if (end == std::string_view::npos) {
                problem = take(Token::Kind::invalid, 2);
                position_ = text_.size();
                return false;
            }
            line_ += static_cast<int>(std::count(text_.begin() + position_, text_.begin() + end, '\n'));
            position_ = end + 2;
        } else {
            return true;
        }
    }
}

// The word's length including what follows a scope mark: shared::cta, L2::128B.
std::size_t Lexer::word_length(std::size_t from) const {
    std::size_t end = from;
    for (;;) {
        while (continues_word(at(end))) ++end;
        if (end == from || at(end) != ':' || at(end + 1) != ':' || !continues_word(at(end + 2))) return end - position_;
        end += 2;
    }
}

std::size_t Lexer::number_length() const {
    std::size_t end = position_;
    while (is_digit(at(end)) || is_letter(at(end))) ++end;
    const bool has_prefix = at(position_) == '0' && is_letter(at(position_ + 1)) && at(position_ + 1) != 'e' &&
                            at(position_ + 1) != 'E';  // 0x 0b 0f 0d
    if (has_prefix) return end - position_;
    if (at(end) == '.') {
        ++end;
        while (is_digit(at(end)) || is_letter(at(end))) ++end;
    }
    const char last = at(end - 1);
    if ((last == 'e' || last == 'E') && (at(end) == '+' || at(end) == '-') && is_digit(at(end + 1))) {
        ++end;
        while (is_digit(at(end))) ++end;
    }
    return end - position_;
}

Token Lexer::string() {
    std::size_t end = position_ + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    if (at(end) != '"') return take(Token::Kind::invalid, std::min<std::size_t>(end - position_, 16));
    Token token = take(Token::Kind::string, end + 1 - position_);
    line_ += static_cast<int>(std::count(token.text.begin(), token.text.end(), '\n'));
    token.text = token.text.substr(1, token.text.size() - 2);
    return token;
}

Token Lexer::next() {
    Token problem;
    if (!skip_blank(problem)) return problem;
    if (position_ >= text_.size()) return take(Token::Kind::end, 0);
    const char c = text_[position_];
    if (starts_word(c) && (c != '%' || continues_word(at(position_ + 1)))) {
        std::size_t end = position_ + 1;
        while (continues_word(at(end))) ++end;
        return take(Token::Kind::word, end - position_);
    }
    if (c == '.' && continues_word(at(position_ + 1))) return take(Token::Kind::directive, word_length(position_ + 1));
    if (is_digit(c)) return take(Token::Kind::number, number_length());
    if (c == '"') return string();
    if (punctuation_characters.find(c) != std::string_view::npos) return take(Token::Kind::punctuation, 1);
    return take(Token::Kind::invalid, 1);
}

}  // namespace warpgrade::ptx
