#include "compile/plain_words.hpp"

#include <array>

#include "base/text.hpp"

namespace warpgrade {

std::string Complaint::quoted(int n) const {
    std::size_t at = 0;
    for (;; --n) {
        const std::size_t open = message.message.find('"', at);
        if (open == std::string::npos) return {};
        const std::size_t close = message.message.find('"', open + 1);
        if (close == std::string::npos) return {};
        if (n == 0) return message.message.substr(open + 1, close - open - 1);
        at = close + 1;
    }
}

std::size_t Complaint::open_bracket() const {
    constexpr std::size_t furthest = 400;
    int depth = 0;
    const std::size_t from = std::min(token, view.tokens().size());
    for (std::size_t i = from; i-- > 0 && from - i < furthest;) {
        if (text(i) == ")") ++depth;
        if (text(i) == "(" && depth-- == 0) return i;
        if (text(i) == "{" || text(i) == "}") break;
    }
    return view.tokens().size();
}

std::string_view Complaint::bracket_of() const {
    const std::size_t open = open_bracket();
    return open == view.tokens().size() || open == 0 ? std::string_view() : text(open - 1);
}

std::string parameters_of(const SourceView& view, std::string_view function) {
    std::string found;
    for (const auto& [name, declared] : view.declared()) {
        if (name != function || !declared.is_function) continue;
        if (!found.empty() && found != declared.parameters) return {};
        found = declared.parameters;
    }
    return found;
}

std::string in_plain_words(const CompilerMessage& message, const SourceView& view) {
    const Complaint complaint(message, view);
    for (const auto rows : {plain_words_of_launches(), plain_words_of_syntax(), plain_words_of_declarations(),
                            plain_words_of_values(), plain_words_of_warnings()})
        for (const PlainWord& row : rows) {
            if (!complaint.says(row.phrase)) continue;
            if (std::string words = row.words(complaint); !words.empty()) return words;
        }
    return {};
}

}  // namespace warpgrade
