// What a parser knows of words, and where a type ends.
#include <algorithm>
#include <array>

#include "source/parser.hpp"

namespace warpgrade::source {

namespace {

template <std::size_t n>
bool is_in(const std::array<std::string_view, n>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

}  // namespace

bool is_type_word(std::string_view word) {
    static constexpr std::array<std::string_view, 16> words{
        "int",    "float", "double", "char",    "bool", "void",     "__int128", "unsigned",
        "signed", "long",  "short",  "wchar_t", "auto", "char16_t", "char32_t", "char8_t"};
    return is_in(words, word);
}

bool is_specifier(std::string_view word) {
    static constexpr std::array<std::string_view, 26> words{
        "const",        "constexpr",  "consteval",       "constinit",    "static",
        "extern",       "inline",     "volatile",        "mutable",      "register",
        "thread_local", "virtual",    "explicit",        "friend",       "__shared__",
        "__device__",   "__global__", "__host__",        "__constant__", "__managed__",
        "__restrict__", "__restrict", "__forceinline__", "__noinline__", "__grid_constant__",
        "typename"};
    return is_in(words, word);
}

bool is_reserved(std::string_view word) {
    static constexpr std::array<std::string_view, 41> words{"if",
                                                            "else",
                                                            "for",
                                                            "while",
                                                            "do",
                                                            "switch",
                                                            "case",
                                                            "default",
                                                            "break",
                                                            "return",
                                                            "goto",
                                                            "continue",
                                                            "sizeof",
                                                            "alignof",
                                                            "new",
                                                            "delete",
                                                            "throw",
                                                            "try",
                                                            "catch",
                                                            "struct",
                                                            "class",
                                                            "union",
                                                            "enum",
                                                            "namespace",
                                                            "using",
                                                            "typedef",
                                                            "template",
                                                            "this",
                                                            "operator",
                                                            "public",
                                                            "private",
                                                            "protected",
                                                            "asm",
                                                            "decltype",
                                                            "static_assert",
                                                            "static_cast",
                                                            "reinterpret_cast",
                                                            "const_cast",
                                                            "dynamic_cast",
                                                            "noexcept",
                                                            "concept"};
    return is_in(words, word) || is_specifier(word);
}

bool takes_brackets(std::string_view word) {
    static constexpr std::array<std::string_view, 12> words{
        "__launch_bounds__", "__attribute__", "__align__",        "alignas",  "decltype",    "__declspec",
        "noexcept",          "static_assert", "__cluster_dims__", "explicit", "__maxnreg__", "__block_size__"};
    return is_in(words, word);
}

// Behind `>`, if what begins at `<` can be the arguments of a template.
TokenId Parser::past_angles(TokenId i) const {
    if (past_angles_.empty()) past_angles_.resize(code_.size(), unknown_token);
    TokenId& known = past_angles_[i];
    if (known == unknown_token) known = find_past_angles(i);
    return known <= end_ ? known : no_token;
}

// Of all tokens, whatever is being read.
TokenId Parser::find_past_angles(TokenId i) const {
    int depth = 0;
    for (const TokenId last = std::min(static_cast<TokenId>(code_.size()), i + 200); i < last;) {
        const std::string_view sign = code_[i].text;
        if (sign == "<") ++depth;
        if (sign == ">" && --depth == 0) return i + 1;
        if (sign == "{" || sign == "}" || sign == ";" || sign == "||" || sign == ")" || sign == "]" || sign == "<<<")
            return no_token;
        if (sign == "&&" && i + 1 < last && code_[i + 1].text != ">" && code_[i + 1].text != ",") return no_token;
        if ((sign == "(" || sign == "[") && code_[i].partner == no_token) return no_token;
        i = sign == "(" || sign == "[" ? code_[i].partner + 1 : i + 1;
    }
    return no_token;
}

// Whether `name<...>` before `after` is a template: it is declared as one, it is a library's, or its arguments or what
// follows leave no other meaning. Else `<` and `>` are comparisons.
bool Parser::is_template_name(TokenId name, TokenId after, bool is_qualified) const {
    const std::string_view next = text(after);
    if (next == "::" || next == "<<<") return true;
    if (is_qualified || templates_.contains(text(name))) return !is_name(after) && kind(after) != TokenKind::number;
    if (next != "(" && next != "{") return false;
    bool is_constant = true;
    for (TokenId i = name + 2; i < after - 1; ++i) {
        const bool begins = text(i - 1) == "<" || text(i - 1) == ",";
        if (begins && (is_type_word(text(i)) || is_specifier(text(i)))) return true;
        is_constant &= kind(i) == TokenKind::number || text(i) == ",";
    }
    return is_constant;
}

TokenId Parser::past_specifiers(TokenId i) const {
    while (i < end_) {
        if (takes_brackets(text(i)) && text(i) != "decltype" && text(i + 1) == "(")
            i = past(i + 1);
        else if (text(i) == "[" && text(i + 1) == "[")
            i = past(i);
        else if (text(i) == "template" && text(i + 1) == "<" && past_angles(i + 1) != no_token)
            i = past_angles(i + 1);
        else if (is_specifier(text(i)))
            ++i;
        else
            break;
    }
    return i;
}

// `std::vector<int>`; `i` where no name begins.
TokenId Parser::past_qualified(TokenId i) const {
    TokenId at = text(i) == "::" ? i + 1 : i;
    while (is_name(at)) {
        ++at;
        if (text(at) == "<" && past_angles(at) != no_token) at = past_angles(at);
        if (text(at) != "::") return at;
        ++at;
    }
    return i;
}

TokenId Parser::past_type(TokenId i) const {
    const TokenId begin = past_specifiers(i);
    TokenId at = begin;
    if (text(at) == "struct" || text(at) == "class" || text(at) == "union" || text(at) == "enum") ++at;
    if (text(at) == "decltype" && text(at + 1) == "(") {
        at = past(at + 1);
    } else if (is_type_word(text(at))) {
        while (is_type_word(text(at)) || is_specifier(text(at))) ++at;
        return at;
    } else {
        at = past_qualified(at);
    }
    if (at == begin) return i;
    while (is_specifier(text(at))) ++at;
    return at;
}

bool Parser::is_declaration(TokenId i, bool is_condition) const {
    const TokenId begin = past_specifiers(i);
    const TokenId after = past_type(i);
    if (after == i) return false;
    TokenId name = after;
    while (text(name) == "*" || text(name) == "&" || text(name) == "&&" || (name > after && is_specifier(text(name))))
        ++name;
    const bool is_certain = begin > i || is_type_word(text(begin)) || is_reserved(text(begin));
    if (is_certain)
        return is_name(name) || (text(name) == "(" && text(name + 1) == "*") ||
               (text(name) == "[" && text(begin) == "auto") || (begin > i && text(name) != "(");
    if (!is_name(name)) return false;
    if (name == after) return true;
    const std::string_view next = text(name + 1);
    if (next.empty() && text(begin).starts_with('$') && text(name).starts_with('$'))
        return false;  // a pattern: a product
    if (is_condition) return next == "=";
    return next == "=" || next == ";" || next == "," || next == "[" || next == ":" || next == "{" || next == "(" ||
           next.empty();
}

}  // namespace warpgrade::source
