#include "run/line_context.hpp"

#include <algorithm>
#include <regex>
#include <vector>

#include "base/code_text.hpp"
#include "base/text.hpp"
#include "course/source_text.hpp"

namespace warpgrade {

namespace {

constexpr std::size_t longest_line = 400;  // of a line that is looked at

// Past what closes the bracket at `open`; npos: nothing does.
std::size_t past_bracket(std::string_view code, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < code.size(); ++i) {
        depth +=
            (code[i] == '(' || code[i] == '{' || code[i] == '[') - (code[i] == ')' || code[i] == '}' || code[i] == ']');
        if (depth == 0) return i + 1;
    }
    return std::string_view::npos;
}

// Past the statement that begins here: its braces, or its semicolon; an `if`, `for` or `while` takes its own along.
std::size_t past_statement(std::string_view code, std::size_t at) {
    while (at < code.size()) {
        at = code.find_first_not_of(" \t\n\r", at);
        if (at == std::string_view::npos) return code.size();
        if (code[at] == '{') return std::min(past_bracket(code, at), code.size());
        const std::string_view rest = code.substr(at);
        const bool has_head = rest.starts_with("if") || rest.starts_with("for") || rest.starts_with("while");
        const std::size_t open = code.find('(', at);
        if (has_head && open != std::string_view::npos) {
            at = past_bracket(code, open);
            continue;
        }
        return std::min(code.find(';', at), code.size() - 1) + 1;
    }
    return code.size();
}

struct Head {
    std::size_t begin = 0, open = 0, close = 0;  // the word, its ( and what is past its )
    bool is_for = false;
};

// The innermost of these words whose statement holds the first character of the line that is not blank.
std::optional<Head> head_around(std::string_view code, int line, const std::regex& word) {
    const std::size_t start = offset_of_line(code, line);
    if (start == std::string_view::npos) return std::nullopt;
    const std::size_t first = code.find_first_not_of(" \t", start);
    if (first == std::string_view::npos) return std::nullopt;
    const std::size_t line_end = std::min(code.find('\n', first), code.size());
    const std::size_t from = start_of_function(code, start);
    const std::string text(code.substr(from, line_end - from));
    std::optional<Head> found;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), word); at != std::sregex_iterator(); ++at) {
        Head head;
        head.begin = from + static_cast<std::size_t>(at->position());
        head.open = head.begin + static_cast<std::size_t>(at->length()) - 1;
        head.close = past_bracket(code, head.open);
        head.is_for = code[head.begin] == 'f';
        if (head.close == std::string_view::npos || head.close > line_end) continue;
        const std::size_t last = past_statement(code, head.close);
        // On one line with what it holds, or above it.
        if (last <= first) continue;
        found = head;
    }
    return found;
}

}  // namespace

std::optional<IndexSource> variable_of_index(std::string_view source, int line, std::string_view array, bool is_any) {
    const std::string code = without_comments(source);
    const std::size_t start = offset_of_line(code, line);
    if (start == std::string::npos) return std::nullopt;
    const int first = line_at(code, start_of_function(code, start));
    for (const std::string_view subscript : subscripts_of(line_of(code, line), array))
        for (const std::string& word : names_in(subscript)) {
            const std::regex sets(R"re((?:^|[\s;{*]))re" + word + R"re(\s*=\s*([^=;][^;]*);)re");
            for (int above = line - 1; above >= first; --above) {
                const std::string text(line_of(code, above));
                std::smatch match;
                if (text.size() > longest_line || !std::regex_search(text, match, sets)) continue;
                const std::string expression(trimmed(match[1].str()));
                const bool is_of_parts = is_any || expression.find_first_of("+-*/%?&|") != std::string::npos;
                const bool is_own = warpgrade::is_blank(text.front()) && text.find("for") == std::string::npos;
                if (is_of_parts && is_own && expression.size() <= 80) return IndexSource{word, expression, above};
                break;
            }
        }
    return std::nullopt;
}

std::optional<IndexSource> function_of_index(std::string_view source, int line, std::string_view array) {
    const std::string code = without_comments(source);
    for (const std::string_view subscript : subscripts_of(line_of(code, line), array))
        for (const std::string& word : names_in(subscript)) {
            const std::regex head(R"re((?:^|\n)[^\n;{}=]*\w[&* \t]+()re" + word + R"re()\s*\([^;{}()]*\)\s*\{)re");
            std::smatch match;
            if (subscript.find(word + "(") == std::string_view::npos || !std::regex_search(code, match, head)) continue;
            return IndexSource{word, "", line_at(code, static_cast<std::size_t>(match.position(1)))};
        }
    return std::nullopt;
}

std::optional<TreeStep> tree_step(std::string_view source, int line) {
    const std::string code = without_comments(source);
    const std::string text(line_of(code, line));
    static const std::regex added(R"re(\b(\w+)\s*\[([^\[\]]+)\]\s*\+=\s*(\w+)\s*\[([^\[\]]+)\]\s*;)re");
    static const std::regex written(
        R"re(\b(\w+)\s*\[([^\[\]]+)\]\s*=\s*(\w+)\s*\[([^\[\]]+)\]\s*\+\s*(\w+)\s*\[([^\[\]]+)\]\s*;)re");
    std::smatch match;
    if (text.size() > longest_line) return std::nullopt;
    const auto part = [&](int i) { return std::string(trimmed(match[i].str())); };
    if (std::regex_search(text, match, added) && match[1] == match[3]) return TreeStep{match[1], part(2), part(4)};
    if (!std::regex_search(text, match, written) || match[1] != match[3] || match[1] != match[5]) return std::nullopt;
    if (part(4) == part(2)) return TreeStep{match[1], part(2), part(6)};
    if (part(6) == part(2)) return TreeStep{match[1], part(2), part(4)};
    return std::nullopt;
}

LoopBody loop_body(std::string_view source, int line) {
    static const std::regex word(R"re(\b(?:for|while)\s*\()re");
    const std::string code = without_comments(source);
    const auto head = head_around(code, line, word);
    if (!head) return {};
    LoopBody loop;
    loop.line = line_at(code, head->begin);
    const std::string_view inside = std::string_view(code).substr(head->open + 1, head->close - head->open - 2);
    loop.body = code.substr(head->close, past_statement(code, head->close) - head->close);
    if (!head->is_for) {
        loop.condition = trimmed(inside);
        return loop;
    }
    const std::size_t first = inside.find(';');
    const std::size_t second = first == std::string_view::npos ? first : inside.find(';', first + 1);
    if (second == std::string_view::npos) return {};
    loop.start = trimmed(inside.substr(0, first));
    loop.condition = trimmed(inside.substr(first + 1, second - first - 1));
    loop.step = trimmed(inside.substr(second + 1));
    return loop;
}

int line_of_test(std::string_view source, int line) {
    static const std::regex word(R"re(\bif\s*\()re");
    const std::string code = without_comments(source);
    const auto head = head_around(code, line, word);
    return head ? line_at(code, head->begin) : 0;
}

std::vector<int> lines_that_call(std::string_view source, int line) {
    const std::string code = without_comments(source);
    const std::size_t at = offset_of_line(code, line);
    if (at == std::string::npos) return {};
    // The last head at the margin up to this line.
    static const std::regex head(R"re((?:^|\n)[A-Za-z_][^\n;{}]*?(\w+)\s*\([^;{}()]*\)\s*\{)re");
    const std::string above = code.substr(0, std::min(code.find('\n', at), code.size()));
    std::string name;
    int own_line = 0;
    for (auto found = std::sregex_iterator(above.begin(), above.end(), head); found != std::sregex_iterator();
         ++found) {
        name = (*found)[1];
        own_line = line_at(code, static_cast<std::size_t>(found->position(1)));
    }
    if (name.empty()) return {};
    const std::regex call(R"re(\b)re" + name + R"re(\s*\()re");
    std::vector<int> lines;
    const int last = line_at(code, code.size());
    for (int other = 1; other <= last; ++other)
        if (const std::string text(line_of(code, other));
            other != own_line && text.size() <= longest_line && std::regex_search(text, call))
            lines.push_back(other);
    return lines;
}

std::string unchanged_in(const LoopBody& loop) {
    if (loop.line == 0 || loop.condition.empty() || loop.condition.size() > longest_line) return {};
    if (loop.condition.find_first_of("([") != std::string::npos || loop.body.find("break") != std::string::npos ||
        loop.body.find("return") != std::string::npos)
        return {};
    const std::string all = loop.step + ";" + loop.body;
    std::string found;
    for (const std::string& word : names_in(loop.condition)) {
        const std::regex changes(R"re((?:\+\+|--|&)\s*)re" + word + R"re(\b|\b)re" + word +
                                 R"re(\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=)))re");
        if (std::regex_search(all, changes)) return {};
        // What is in capitals is a constant, mostly.
        const bool may_change = std::any_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
        if (may_change && found.empty()) found = word;
    }
    return found;
}

int line_of_exit(std::string_view source, const LoopBody& loop, int line) {
    static const std::regex exit(R"re(\b(?:break|continue|return)\b)re");
    const std::string code = without_comments(source);
    for (int at = loop.line; loop.line != 0 && at <= line; ++at)
        if (const std::string text(line_of(code, at)); text.size() <= longest_line && std::regex_search(text, exit))
            return at;
    return 0;
}

}  // namespace warpgrade
