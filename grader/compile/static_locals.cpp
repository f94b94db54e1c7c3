#include "compile/static_locals.hpp"

#include <charconv>
#include <set>

#include "compile/source_view.hpp"

namespace warpgrade {
namespace {

constexpr std::string_view word_static = "static";
constexpr std::string_view refusal = "): error: dynamic initialization is not supported for a function-scope static";

// Lines of which the log says so: "submission.cu(14): error: ...".
std::set<int> lines_refused(std::string_view log, std::string_view path) {
    std::set<int> lines;
    for (std::size_t at = log.find(refusal); at != log.npos; at = log.find(refusal, at + 1)) {
        const std::size_t open = log.rfind('(', at);
        if (open == log.npos || open < path.size() || log.substr(open - path.size(), path.size()) != path) continue;
        int line = 0;
        std::from_chars(log.data() + open + 1, log.data() + at, line);
        if (line > 0) lines.insert(line);
    }
    return lines;
}

// Token numbers: where the head of the function around a token begins, its ( and its ).
struct Head {
    std::size_t begin = 0, open = 0, close = 0;
};
std::optional<Head> head_around(const SourceView& view, std::size_t token) {
    std::size_t start = 0;
    for (std::size_t i = 0; i < token; ++i) {
        if (view.tokens()[i].is_directive) continue;
        const std::string_view text = view.text(i);
        if (text == ";") start = i + 1;
        if (text != "{") continue;
        const std::size_t end = view.past(i);
        const bool is_scope = view.text(start) == "namespace" || view.text(start) == "struct" ||
                              view.text(start) == "class" || view.text(start) == "extern";
        if (end > token && !is_scope) {
            Head head{start, start, start};
            while (head.open < i && view.text(head.open) != "(") ++head.open;
            head.close = view.past(head.open);
            return head.open < i ? std::optional(head) : std::nullopt;
        }
        if (end <= token) i = end - 1;
        start = i + 1;
    }
    return std::nullopt;
}

bool is_of_host(const SourceView& view, const Head& head) {
    for (std::size_t i = head.begin; i < head.open; ++i)
        if (view.text(i) == "__global__" || view.text(i) == "__device__") return false;
    return true;
}

}  // namespace

std::optional<std::string> without_static_locals(std::string_view source, std::string_view log, std::string_view path) {
    const std::set<int> lines = lines_refused(log, path);
    if (lines.empty()) return std::nullopt;
    const SourceView view(source);
    std::string text(source);
    for (const int line : lines) {
        std::size_t word = view.token_at(line, 1);
        while (word < view.tokens().size() && view.tokens()[word].line == line && view.text(word) != word_static)
            ++word;
        if (word == view.tokens().size() || view.text(word) != word_static) return std::nullopt;
        const auto head = head_around(view, word);
        if (!head || !is_of_host(view, *head)) return std::nullopt;
        std::set<std::string_view> parameters;
        for (std::size_t i = head->open; i < head->close; ++i)
            if (view.tokens()[i].is_word) parameters.insert(view.text(i));
        bool is_set = false;
        int depth = 0;
        for (std::size_t i = word + 1; i < view.tokens().size() && (depth > 0 || view.text(i) != ";"); ++i) {
            const std::string_view token = view.text(i);
            is_set = is_set || token == "=" || token == "(" || token == "{";
            depth += (token == "{" || token == "(") - (token == "}" || token == ")");
            if (is_set && !is_type_word(token) && parameters.contains(token)) return std::nullopt;
        }
        std::size_t begin = 0;
        for (int before = 1; before < line; ++before) begin = source.find('\n', begin) + 1;
        begin += static_cast<std::size_t>(view.tokens()[word].column) - 1;
        if (source.substr(begin, word_static.size()) != word_static) return std::nullopt;
        text.replace(begin, word_static.size(), word_static.size(), ' ');
    }
    return text;
}

}  // namespace warpgrade
