#include "source/tokens.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace warpgrade::source {

namespace {

// The longest first. Those that begin with `>` are left out on purpose.
constexpr std::array<std::string_view, 26> punctuation{"<<<", "<<=", "...", "->*", "<=>", "::", "->", "++", "--",
                                                       "<<",  "<=",  ">=",  "==",  "!=",  "&&", "||", "+=", "-=",
                                                       "*=",  "/=",  "%=",  "&=",  "|=",  "^=", ".*", "##"};

bool is_name_character(char c) { return is_word(c) || c == '$' || static_cast<unsigned char>(c) >= 0x80; }

// Whether the kit's compilation takes a branch; what is not known is taken, and its #else is not.
enum class Branch { taken, waiting, done };

class Lexer {
public:
    explicit Lexer(Tokens& out) : out_(out), text_(*out.text) {}

    void run() {
        while (at_ < text_.size()) next();
        out_.line_count = line_ - (line_begin_ == text_.size() && line_ > 1 ? 1 : 0);
        out_.file_end = static_cast<TokenId>(out_.code.size());
        for (Macro& macro : out_.macros) body_of(macro);
    }

private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool is_splice(std::size_t at) const {
        return at < text_.size() && text_[at] == '\\' && at + 1 < text_.size() &&
               (text_[at + 1] == '\n' || (text_[at + 1] == '\r' && at + 2 < text_.size() && text_[at + 2] == '\n'));
    }

    void next() {
        const char c = peek();
        if (is_blank(c) || c == '\n' || is_splice(at_)) return blanks();
        if (c == '/' && (peek(1) == '/' || peek(1) == '*')) return emit(TokenKind::comment, end_of_comment(at_));
        if (c == '#' && is_line_start_) return directive();
        if (const std::size_t end = end_of_text(at_); end != at_) return emit(TokenKind::text, end);
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return emit(TokenKind::number, end_of_number(at_));
        std::size_t end = at_;
        while (end < text_.size() && is_name_character(text_[end])) ++end;
        if (end != at_) return emit(TokenKind::word, end);
        emit(TokenKind::sign, at_ + length_of_sign());
    }

    void blanks() {
        std::size_t end = at_;
        while (end < text_.size() && (is_blank(text_[end]) || text_[end] == '\n' || is_splice(end)))
            end += is_splice(end) ? 2 : 1;
        emit(TokenKind::blank, end);
    }

    std::size_t end_of_comment(std::size_t at) const {
        if (text_[at + 1] == '*') {
            const std::size_t end = text_.find("*/", at + 2);
            return end == text_.npos ? text_.size() : end + 2;
        }
        while (at < text_.size() && text_[at] != '\n') at += is_splice(at) ? (text_[at + 1] == '\r' ? 3 : 2) : 1;
        return at;
    }

    // Of a string or a character, with its prefix; `at` where there is none.
    std::size_t end_of_text(std::size_t at) const {
        std::size_t quote = at;
        while (quote < text_.size() && quote - at < 3 && is_word(text_[quote])) ++quote;
        if (quote >= text_.size() || (text_[quote] != '"' && text_[quote] != '\'')) return at;
        const std::string_view prefix = text_.substr(at, quote - at);
        if (!prefix.empty() && prefix.back() == 'R' && text_[quote] == '"') return end_of_raw(quote);
        if (!prefix.empty() && prefix != "u8" && prefix != "u" && prefix != "U" && prefix != "L") return at;
        std::size_t end = quote + 1;
        while (end < text_.size() && text_[end] != text_[quote] && text_[end] != '\n')
            end +=
                text_[end] == '\\' && end + 1 < text_.size() ? (is_splice(end) && text_[end + 1] == '\r' ? 3 : 2) : 1;
        end = std::min(end, text_.size());
        return end < text_.size() && text_[end] == text_[quote] ? end + 1 : end;
    }
    std::size_t end_of_raw(std::size_t quote) const {
        const std::size_t open = text_.find('(', quote);
        if (open == text_.npos || open - quote > 17) return quote + 1;
        const std::string close = ")" + std::string(text_.substr(quote + 1, open - quote - 1)) + "\"";
        const std::size_t end = text_.find(close, open);
        return end == text_.npos ? text_.size() : end + close.size();
    }

    std::size_t end_of_number(std::size_t at) const {
        for (; at < text_.size(); ++at) {
            const char c = text_[at], before = static_cast<char>(text_[at - (at > at_ ? 1 : 0)] | 0x20);
            const bool is_sign = (c == '+' || c == '-') && at > at_ && (before == 'e' || before == 'p') &&
                                 !(before == 'e' && text_.substr(at_, 2) == "0x");
            const bool is_separator = c == '\'' && at + 1 < text_.size() && is_word(text_[at + 1]);
            if (!is_word(c) && c != '.' && !is_sign && !is_separator) break;
        }
        return at;
    }

    std::size_t length_of_sign() const {
        const std::string_view rest = text_.substr(at_, 3);
        for (const std::string_view sign : punctuation)
            if (rest.starts_with(sign)) return sign.size();
        return 1;
    }

    void emit(TokenKind kind, std::size_t end) {
        const Range at{at_, end - at_, line_, static_cast<int>(at_ - line_begin_) + 1};
        out_.all.push_back({kind, at});
        if (kind != TokenKind::blank && kind != TokenKind::comment && kind != TokenKind::directive) add_code(kind, at);
        advance(end);
    }
    void add_code(TokenKind kind, const Range& at) {
        if (is_line_start_) indent_ = at.column;
        is_line_start_ = false;
        if (depth_left_out_ > 0) return;
        CodeToken token;
        token.text = text_.substr(at.offset, at.length);
        token.kind = kind;
        token.at = at;
        token.indent = indent_;
        if (!out_.code.empty()) out_.code.back().is_glued = out_.code.back().at.end() == at.offset;
        out_.code.push_back(token);
    }
    void advance(std::size_t end) {
        for (; at_ < end; ++at_) {
            if (text_[at_] != '\n') continue;
            ++line_;
            line_begin_ = at_ + 1;
            is_line_start_ = true;
        }
    }

    // A whole line of the preprocessor's, with those that continue it; a comment at its end is a part of it.
    void directive() {
        std::size_t end = at_;
        while (end < text_.size() && text_[end] != '\n') {
            if (is_splice(end))
                end += text_[end + 1] == '\r' ? 3 : 2;
            else if (text_[end] == '/' && end + 1 < text_.size() && (text_[end + 1] == '*' || text_[end + 1] == '/'))
                end = end_of_comment(end);
            else if (const std::size_t text = end_of_text(end); text != end && text_[end] != '\'')
                end = text;
            else
                ++end;
        }
        const Range at{at_, end - at_, line_, static_cast<int>(at_ - line_begin_) + 1};
        out_.directive_lines.push_back(at.line);
        read(at);
        emit(TokenKind::directive, end);
    }

    void read(const Range& at) {
        const std::string_view line = text_.substr(at.offset, at.length);
        std::size_t begin = 1;
        const std::string_view name = word(line, begin);
        if (name.starts_with("if") || name.starts_with("el") || name == "endif")
            return condition(name, line.substr(begin));
        if (depth_left_out_ > 0) return;
        if (name == "include") {
            const auto open = line.find_first_of("<\""), close = line.find_first_of(">\"", open + 1);
            if (open != line.npos && close != line.npos)
                out_.includes.push_back(line.substr(open + 1, close - open - 1));
        }
        if (name != "define") return;
        Macro macro;
        macro.name = word(line, begin);
        if (macro.name.empty()) return;
        macro.at = {at.offset + begin - macro.name.size(), macro.name.size(), at.line,
                    at.column + static_cast<int>(begin - macro.name.size())};
        macro.has_parameters = begin < line.size() && line[begin] == '(';
        for (const std::size_t close = std::min(line.find(')', begin), line.size());
             macro.has_parameters && begin < close;) {
            const std::size_t end = std::min(line.find(',', begin + 1), close);
            macro.parameters.push_back(trimmed(line.substr(begin + 1, end - begin - 1)));
            begin = end;
        }
        body_ends_.push_back(at.end());
        out_.macros.push_back(macro);
    }
    static std::string_view word(std::string_view line, std::size_t& begin) {
        while (begin < line.size() && !is_name_character(line[begin])) ++begin;
        std::size_t end = begin;
        while (end < line.size() && is_name_character(line[end])) ++end;
        const std::string_view found = line.substr(begin, end - begin);
        begin = end;
        return found;
    }

    void condition(std::string_view name, std::string_view rest) {
        if (name == "endif" && !branches_.empty()) {
            depth_left_out_ -= branches_.back() == Branch::taken ? 0 : 1;
            branches_.pop_back();
        } else if (name.starts_with("if")) {
            branches_.push_back(is_left_out(name, rest) ? Branch::waiting : Branch::taken);
            depth_left_out_ += branches_.back() == Branch::taken ? 0 : 1;
        } else if (name.starts_with("el") && !branches_.empty()) {
            const Branch before = branches_.back();
            branches_.back() = before != Branch::waiting                    ? Branch::done
                               : name == "else" || !is_left_out(name, rest) ? Branch::taken
                                                                            : Branch::waiting;
            depth_left_out_ += (before == Branch::taken ? 1 : 0) - (branches_.back() == Branch::taken ? 1 : 0);
        }
    }
    static bool is_left_out(std::string_view name, std::string_view rest) {
        rest = trimmed(rest.substr(0, std::min(rest.find("//"), rest.find("/*"))));
        const bool is_about_kit = rest.find("__WARPGRADE__") != rest.npos;
        if (name == "ifndef" || name == "elifndef") return is_about_kit;
        return rest == "0" || (is_about_kit && rest.find('!') != rest.npos);
    }

    // The body of a macro is read again, as code behind the file's.
    void body_of(Macro& macro) {
        macro.first = macro.last = static_cast<TokenId>(out_.code.size());
        const std::size_t end = body_ends_[static_cast<std::size_t>(&macro - out_.macros.data())];
        const std::size_t begin = macro.has_parameters ? text_.find(')', macro.at.end()) : macro.at.end();
        if (begin >= end) return;
        Tokens body;
        body.text = out_.text;
        Lexer lexer(body);
        lexer.text_ = text_.substr(0, end);
        lexer.at_ = begin + (macro.has_parameters ? 1 : 0);
        lexer.line_ = macro.at.line;
        lexer.line_begin_ = macro.at.offset + 1 - static_cast<std::size_t>(macro.at.column);
        while (lexer.at_ < end) {
            lexer.is_line_start_ = false;
            lexer.next();
        }
        out_.code.insert(out_.code.end(), body.code.begin(), body.code.end());
        macro.last = static_cast<TokenId>(out_.code.size());
    }

    Tokens& out_;
    std::string_view text_;
    std::size_t at_ = 0, line_begin_ = 0;
    int line_ = 1, indent_ = 1;
    bool is_line_start_ = true;
    std::vector<Branch> branches_;  // of the conditions that are open, from the outermost on
    int depth_left_out_ = 0;        // how many of them leave out what follows
    std::vector<std::size_t> body_ends_;
};

}  // namespace

Tokens tokens_of(std::string_view text) {
    Tokens tokens;
    tokens.text = std::make_shared<const std::string>(text);
    Lexer(tokens).run();
    match_brackets(tokens);
    tokens.statement_end.resize(tokens.code.size() + 1, static_cast<TokenId>(tokens.code.size()));
    for (std::size_t i = tokens.code.size(); i-- > 0;) {
        const std::string_view sign = tokens.code[i].text;
        const bool ends = sign == ";" || sign == "{" || sign == "}" || i == tokens.file_end;
        tokens.statement_end[i] = ends ? static_cast<TokenId>(i) : tokens.statement_end[i + 1];
    }
    return tokens;
}

TokenId closing(const Tokens& tokens, TokenId open) {
    if (tokens.code[open].partner != no_token) return tokens.code[open].partner;
    if (tokens.code[open].end != no_token) return tokens.code[open].end;
    if (tokens.code[open].text == "{")
        return open < tokens.file_end ? tokens.file_end : static_cast<TokenId>(tokens.code.size());
    return tokens.statement_end[open];
}

}  // namespace warpgrade::source
