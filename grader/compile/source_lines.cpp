#include "compile/source_lines.hpp"

#include <array>
#include <cctype>
#include <utility>

#include "base/text.hpp"

namespace warpgrade {
namespace {

struct Letter {
    char value;
    int line;
    bool is_after_splice;
};

// Phases 1 and 2: trigraphs, line ends, splices. Every character remembers the line it came from.
std::vector<Letter> spliced(std::string_view source, const Dialect& dialect) {
    static constexpr std::array<std::pair<char, char>, 9> trigraphs{
        {{'=', '#'}, {'/', '\\'}, {'\'', '^'}, {'(', '['}, {')', ']'}, {'!', '|'}, {'<', '{'}, {'>', '}'}, {'-', '~'}}};
    std::vector<Letter> result;
    result.reserve(source.size());
    int line = 1;
    bool is_after_splice = false;
    for (std::size_t i = 0; i < source.size(); ++i) {
        char c = source[i];
        if (dialect.has_trigraphs && c == '?' && source.substr(i).starts_with("??") && i + 2 < source.size())
            for (auto [third, meaning] : trigraphs)
                if (source[i + 2] == third) {
                    c = meaning;
                    i += 2;
                    break;
                }
        if (c == '\\') {
            std::size_t next = i + 1;
            if (dialect.splices_over_blanks)
                while (next < source.size() && is_blank(source[next])) ++next;
            else if (next < source.size() && source[next] == '\r')
                ++next;
            if (next < source.size() && source[next] == '\n') {
                i = next;
                ++line;
                is_after_splice = true;
                continue;
            }
        }
        if (c == '\r' && source.substr(i, 2) == "\r\n") continue;
        if (c == '\r' && dialect.ends_lines_at_cr) c = '\n';
        result.push_back({c, line, std::exchange(is_after_splice, false)});
        if (source[i] == '\n') ++line;
    }
    return result;
}

// Phase 3 as far as it matters: where comments and literals begin and end.
class Stripper {
public:
    Stripper(std::vector<Letter> characters, const Dialect& dialect)
        : characters_(std::move(characters)), dialect_(dialect) {}

    std::vector<SourceLine> run() {
        begin_line();
        while (at_ < characters_.size()) step();
        if (!current_.text.empty()) lines_.push_back(std::move(current_));
        return std::move(lines_);
    }

private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < characters_.size() ? characters_[at_ + ahead].value : '\0';
    }
    void begin_line() {
        current_ = {at_ < characters_.size() ? characters_[at_].line : 0, {}};
        unspaced_.clear();
        number_begin_ = 0;
    }
    void append(char c) {
        current_.text += c;
        if (!is_blank(c)) unspaced_ += c;
        if (!is_word(c) && c != '\'' && c != '.') number_begin_ = current_.text.size();
    }
    void copy() { append(characters_[at_++].value); }

    void step() {
        const char c = peek();
        if (c == '\n') {
            ++at_;
            lines_.push_back(std::move(current_));
            begin_line();
        } else if (c == '<' && is_header_expected()) {
            while (at_ < characters_.size() && peek() != '\n' && peek() != '>') copy();
        } else if (c == '/' && peek(1) == '/') {
            while (at_ < characters_.size() && peek() != '\n') ++at_;
        } else if (c == '/' && peek(1) == '*') {
            at_ += 2;
            while (at_ < characters_.size() && !(peek() == '*' && peek(1) == '/')) ++at_;
            at_ += 2;
            append(' ');
        } else if (c == '"' && dialect_.has_raw_strings && is_raw_prefix()) {
            skip_raw_string();
        } else if (c == '"' || (c == '\'' && !is_digit_separator())) {
            quoted(c);
        } else {
            copy();
        }
    }

    // After `# include` or `__has_include (`, `<` opens a header name, in which /* opens no comment.
    bool is_header_expected() const {
        std::string_view text = unspaced_;
        const std::size_t hash = text.starts_with("#") ? 1 : text.starts_with("%:") ? 2 : 0;
        if (hash == 0) return false;
        text.remove_prefix(hash);
        for (const char* opener : {"include", "include_next", "import", "embed"})
            if (text == opener) return true;
        return text.ends_with("__has_include(") || text.ends_with("__has_include_next(") ||
               text.ends_with("__has_embed(");
    }

    bool is_raw_prefix() const {
        const std::string_view text = current_.text;
        constexpr std::size_t longest = 3;
        std::size_t length = 0;
        while (length < text.size() && length <= longest && is_word(text[text.size() - 1 - length])) ++length;
        const std::string_view word = text.substr(text.size() - length);
        return word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
    }

    void skip_raw_string() {
        std::size_t i = at_ + 1;
        std::string delimiter;
        while (i < characters_.size() && characters_[i].value != '(' && delimiter.size() <= 16)
            delimiter += characters_[i++].value;
        const std::string closer = ")" + delimiter + "\"";
        std::size_t matched = 0;
        for (; i < characters_.size() && matched < closer.size(); ++i) {
            if (characters_[i].value == closer[matched])
                ++matched;
            else
                matched = characters_[i].value == ')' ? 1 : 0;
        }
        append('"'), append('"');
        at_ = i;
    }

    bool is_digit_separator() const {
        if (current_.text.empty() || !is_word(current_.text.back()) || !is_word(peek(1))) return false;
        const char first = current_.text[number_begin_];
        return std::isdigit(static_cast<unsigned char>(first)) || first == '.';
    }

    void quoted(char quote) {
        copy();
        while (at_ < characters_.size() && peek() != '\n' && peek() != quote) {
            if (peek() == '\\' && peek(1) != '\n' && at_ + 1 < characters_.size()) copy();
            copy();
        }
        if (peek() == quote) copy();
    }

    std::vector<Letter> characters_;
    Dialect dialect_;
    std::size_t at_ = 0;
    SourceLine current_;
    std::string unspaced_;          // the line so far, without its blanks
    std::size_t number_begin_ = 0;  // of the last of its words that may be a number
    std::vector<SourceLine> lines_;
};

}  // namespace

std::vector<SourceLine> source_lines(std::string_view source, const Dialect& dialect) {
    return Stripper(spliced(source, dialect), dialect).run();
}

}  // namespace warpgrade
