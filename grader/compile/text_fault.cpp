#include "compile/text_fault.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace warpgrade {
namespace {

using source::no_token;
using source::TokenId;

constexpr const char* three_parts = "a for has three parts, with a ; between them: for (start; condition; step)";

TextFault fault_at(const source::Range& at, std::string message) { return {at.line, at.column, std::move(message)}; }

class Brackets {
public:
    explicit Brackets(const source::Tokens& tokens) : tokens_(tokens), code_(tokens.code), end_(tokens.file_end) {}

    std::optional<TextFault> find() const {
        for (TokenId i = 0; i < end_; ++i)
            if (code_[i].kind == source::TokenKind::text &&
                (text(i).size() == 1 || text(i).back() != text(i).front()) && text(i).front() == '"')
                return fault_at(
                    code_[i].at,
                    "this text does not end: its second \" is missing\nwrite a \" where it ends, in the same line");
        for (TokenId i = 0; i < end_; ++i) {
            if (text(i) == "(" || text(i) == "[") {
                if (code_[i].partner == no_token) return unclosed(i, what_ends(i));
                if (auto fault = semicolons(i)) return fault;
            }
            if ((text(i) == ")" || text(i) == "]") && code_[i].partner == no_token)
                return fault_at(code_[i].at,
                                fmt::format("no {0} is open that this `{1}` could close\ntake it out, or write the {0} "
                                            "that it belongs to",
                                            text(i) == ")" ? '(' : '[', text(i)));
        }
        return has_brace_in_macro() ? std::nullopt : braces();
    }

private:
    std::string_view text(TokenId i) const { return i < code_.size() ? code_[i].text : std::string_view(); }
    TokenId past(TokenId i) const {
        return code_[i].partner != no_token && code_[i].partner > i ? code_[i].partner : i;
    }
    bool is_of(TokenId bracket, std::string_view word) const {
        if (bracket > 1 && text(bracket - 1) == "constexpr") --bracket;
        return bracket > 0 && text(bracket - 1) == word;
    }
    // for (start; condition; step), if (start; condition)
    int most_semicolons(TokenId open) const {
        if (text(open) != "(") return 0;
        return is_of(open, "for") ? 2 : is_of(open, "if") || is_of(open, "switch") ? 1 : 0;
    }

    // What cannot be inside of a bracket that has no partner.
    TokenId what_ends(TokenId open) const {
        const bool is_head = most_semicolons(open) > 0 || is_of(open, "while");
        int left = most_semicolons(open);
        for (TokenId i = open + 1; i < end_; i = past(i) + 1) {
            if (text(i) == ";" && left-- == 0) return i;
            if (text(i) == "{" && is_head && text(i - 1) != ":") return i;
            if (text(i) == "}" || text(i) == ")" || text(i) == "]") return i;
        }
        return end_;
    }
    TextFault unclosed(TokenId open, TokenId before) const {
        const std::string what = fmt::format("this `{}` is not closed\n", text(open));
        if (before >= end_) return fault_at(code_[open].at, what + "nothing closes it up to the end of the file");
        const int line = code_[before].at.line;
        return fault_at(
            code_[open].at,
            fmt::format("{}a {} is missing between it and the `{}` {}", what, text(open) == "(" ? ')' : ']',
                        text(before), line == code_[open].at.line ? "after it" : fmt::format("of line {}", line)));
    }

    std::optional<TextFault> semicolons(TokenId open) const {
        const TokenId close = code_[open].partner;
        const int most = most_semicolons(open), line = code_[close].at.line;
        int count = 0;
        TokenId first = no_token;
        for (TokenId i = open + 1; i < close; i = past(i) + 1)
            if (text(i) == ";" && ++count == most + 1) first = i;
        if (first == no_token) return {};
        if (code_[first].at.line != line) return unclosed(open, first);
        if (most == 0 && count == 2 && !is_of(open, "while") && code_[open].at.line == line) return {};  // misspelt for
        if (most == 2)
            return fault_at(code_[first].at,
                            std::string("this `;` is the third in the brackets of a for\n") + three_parts);
        return fault_at(code_[first].at,
                        "this `;` stands inside of ( )\nwhat stands in ( ) is separated by commas: write , here, or "
                        "take the ; out");
    }

    bool has_brace_in_macro() const {
        return std::any_of(code_.begin() + end_, code_.end(), [](const source::CodeToken& token) {
            return (token.text == "{" || token.text == "}") && token.partner == no_token;
        });
    }

    std::optional<TextFault> braces() const {
        for (TokenId i = 0; i < end_; ++i) {
            if ((text(i) != "{" && text(i) != "}") || code_[i].partner != no_token) continue;
            if (text(i) == "}") return one_too_many(i);
            std::string where = ", at the end of the file as it seems";
            if (const TokenId end = code_[i].end; end < end_)
                where = fmt::format(" before line {}{}", code_[end].at.line,
                                    text(end) == "}" ? ": the } there ends what begins further left" : "");
            return fault_at(code_[i].at, "this `{` is not closed\na } is missing" + where);
        }
        return {};
    }
    TextFault one_too_many(TokenId i) const {
        std::string which = "no { is open here";
        for (TokenId open = i; open-- > 0;)
            if (text(open) == "{" && code_[open].partner != no_token && code_[open].partner > i) {
                which = fmt::format("this one closes the {{ of line {}", code_[open].at.line);
                break;
            }
        return fault_at(code_[i].at, "one } too many: " + which + "\ntake it out, or write the { that it belongs to");
    }

    const source::Tokens& tokens_;
    const std::vector<source::CodeToken>& code_;
    TokenId end_;
};

}  // namespace

std::optional<TextFault> pasted_text(const source::Tokens& tokens) {
    const std::string_view whole = *tokens.text;
    for (TokenId i = 0; i < tokens.file_end; ++i) {
        if (tokens.code[i].at.column != 1) continue;
        const std::string_view rest = whole.substr(tokens.code[i].at.offset);
        const std::string_view line = trimmed(rest.substr(0, rest.find('\n')));
        if (line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ") || line == "=======")
            return fault_at(tokens.code[i].at,
                            "a merge has left both versions of these lines here\nkeep one of them, and take out the "
                            "lines with <<<<<<<, ======= and >>>>>>>");
        if (line.starts_with("```"))
            return fault_at(tokens.code[i].at, "``` is how Markdown marks code, and not C++\ntake the line out");
    }
    for (const source::Token& token : tokens.all) {
        if (token.kind != source::TokenKind::comment) continue;
        const std::string_view comment = whole.substr(token.at.offset, token.at.length);
        const std::size_t end = comment.find('\n');
        if (!comment.starts_with("//") || end == comment.npos || trimmed(comment.substr(end)).empty()) continue;
        return TextFault{token.at.line, token.at.column + static_cast<int>(comment.rfind('\\', end)),
                         "the \\ at the end of this comment makes the next line a part of it\ntake the \\ out"};
    }
    return {};
}

std::optional<TextFault> unmatched_bracket(const source::Tokens& tokens) { return Brackets(tokens).find(); }

std::optional<TextFault> macro_with_more(const source::Tokens& tokens, int line) {
    for (const source::Macro& macro : tokens.macros) {
        if (macro.first == macro.last || macro.at.line == line) continue;
        const source::CodeToken &first = tokens.code[macro.first], &last = tokens.code[macro.last - 1];
        const bool begins = first.text == "=";
        const source::CodeToken& more = begins ? first : last;
        const bool is_used = std::any_of(
            tokens.code.begin(), tokens.code.begin() + tokens.file_end,
            [&](const source::CodeToken& token) { return token.at.line == line && token.text == macro.name; });
        const auto semicolons = std::count_if(tokens.code.begin() + macro.first, tokens.code.begin() + macro.last,
                                              [](const source::CodeToken& token) { return token.text == ";"; });
        if (!is_used || (!begins && (last.text != ";" || semicolons != 1))) continue;
        return fault_at(
            more.at, fmt::format("`{}` stands for `{}`, the `{}` with it, as in line {}\n{}", macro.name,
                                 tokens.text->substr(first.at.offset, last.at.end() - first.at.offset), more.text, line,
                                 begins ? "a #define has no = between name and value: take it out"
                                        : "a #define ends with its line: take the ; out"));
    }
    return {};
}

}  // namespace warpgrade
