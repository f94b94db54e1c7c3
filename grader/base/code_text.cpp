#include "base/code_text.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace warpgrade {

namespace {

std::string blanked(std::string_view source, Literals literals) {
    std::string text(source);
    const auto blank = [&](std::size_t i) {
        if (text[i] != '\n') text[i] = ' ';
    };
    const auto blank_in_literal = [&](std::size_t i) {
        if (literals == Literals::blanked) blank(i);
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char next = text[i] == '/' && i + 1 < text.size() ? text[i + 1] : '\0';
        if (next == '/') {
            while (i < text.size() && text[i] != '\n') blank(i++);
        } else if (next == '*') {
            const auto end = text.find("*/", i + 2);
            const std::size_t last = end == std::string::npos ? text.size() : end + 2;
            for (; i < last; ++i) blank(i);
            --i;
        } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !is_word(text[i - 1])))) {
            const char quote = text[i];
            for (++i; i < text.size() && text[i] != quote && text[i] != '\n'; ++i) {
                if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] != '\n') blank_in_literal(i++);
                blank_in_literal(i);
            }
        }
    }
    return text;
}

}  // namespace

std::string without_comments(std::string_view source, Literals literals) {
    constexpr std::size_t is_long = 4096;
    if (source.size() < is_long || literals == Literals::kept) return blanked(source, literals);
    // What is said of a source asks for it over and over.
    thread_local std::string known, code;
    if (source != known) {
        code = blanked(source, literals);
        known = source;
    }
    return code;
}

bool is_identifier(std::string_view text) {
    return !text.empty() && (text.front() < '0' || text.front() > '9') &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_word(c); });
}

}  // namespace warpgrade
