#include "compile/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

#include "base/text.hpp"

namespace warpgrade {
namespace {

// Of an identifier: also `$`, what is beyond ASCII, and how that is spelled in ASCII, \u00e9.
bool is_name(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) || c == '_' || c == '$' || c == '\\' || byte >= 0x80;
}

// What can be called in a condition and is no macro of the submission's.
constexpr std::array<std::string_view, 8> known_calls{"defined",
                                                      "__has_include",
                                                      "__has_builtin",
                                                      "__has_attribute",
                                                      "__has_feature",
                                                      "__has_cpp_attribute",
                                                      "__CUDA_ARCH_HAS_FEATURE__",
                                                      "__has_extension"};

struct Word {
    std::string_view text;
    bool is_called = false;  // `(` follows
};

// The identifiers of a line, those in literals too: where one begins is what a trick would hide.
std::vector<Word> words_of(std::string_view text) {
    std::vector<Word> words;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t begin = at;
        while (at < text.size() && is_name(text[at])) ++at;
        if (at == begin || std::isdigit(static_cast<unsigned char>(text[begin]))) continue;
        std::size_t next = at;
        while (next < text.size() && is_blank(text[next])) ++next;
        words.push_back({text.substr(begin, at - begin), next < text.size() && text[next] == '('});
    }
    return words;
}

// A line's directive and what follows it; both empty where it is none.
std::pair<std::string_view, std::string_view> directive_of(std::string_view text) {
    const auto skip_blanks = [&] {
        while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    };
    skip_blanks();
    const std::size_t hash = text.starts_with("#") ? 1 : text.starts_with("%:") ? 2 : 0;
    if (hash == 0) return {};
    text.remove_prefix(hash);
    skip_blanks();
    const auto end = static_cast<std::size_t>(std::ranges::find_if_not(text, is_word) - text.begin());
    return {text.substr(0, end), text.substr(end)};
}

// The macros of a submission, and whether their text can become anything but what it says.
class Macros {
public:
    void define(std::string_view rest) {
        const std::vector<Word> words = words_of(rest);
        if (words.empty()) return;
        Macro& macro = macros_[words.front().text];
        macro.pastes = macro.pastes || rest.find("##") != rest.npos || rest.find("%:%:") != rest.npos;
        macro.words.insert(macro.words.end(), words.begin() + 1, words.end());
    }
    // The first word of these that a condition cannot use; empty: there is none.
    std::string_view first_unreadable(const std::vector<Word>& words) {
        for (const Word& word : words)
            if (!is_readable(word)) return word.text;
        return {};
    }

private:
    struct Macro {
        bool pastes = false;
        std::vector<Word> words;  // of all its definitions
    };
    // Each macro is looked into once: what it leads to has been said by then.
    bool is_readable(const Word& word) {
        std::vector<Word> left{word};
        while (!left.empty()) {
            const Word next = left.back();
            left.pop_back();
            const auto found = macros_.find(next.text);
            const bool is_known = std::ranges::find(known_calls, next.text) != known_calls.end();
            if (found == macros_.end() && next.is_called && !is_known) return false;
            if (found == macros_.end() || looked_into_.contains(next.text)) continue;
            if (found->second.pastes) return false;
            looked_into_.insert(next.text);
            left.insert(left.end(), found->second.words.begin(), found->second.words.end());
        }
        return true;
    }
    std::map<std::string_view, Macro> macros_;
    std::set<std::string_view> looked_into_;
};

}  // namespace

std::vector<std::pair<int, std::string>> unreadable_conditions(const std::vector<SourceLine>& lines) {
    Macros macros;
    for (const SourceLine& line : lines)
        if (const auto [name, rest] = directive_of(line.text); name == "define") macros.define(rest);
    std::vector<std::pair<int, std::string>> found;
    for (const SourceLine& line : lines) {
        const auto [name, rest] = directive_of(line.text);
        if (name != "if" && name != "elif") continue;
        if (const std::string_view word = macros.first_unreadable(words_of(rest)); !word.empty())
            found.emplace_back(
                line.line, fmt::format("`{}` in an #if: a submission's conditions may use `defined`, its own macros "
                                       "that paste nothing with ##, and names of CUDA's",
                                       word));
    }
    return found;
}

}  // namespace warpgrade
