#include "classroom/release_parts.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace warpgrade::classroom {
namespace {

// Behind the string that begins at `at`, as TOML writes them in one line.
std::size_t end_of_string(const std::string& text, std::size_t at) {
    const char quote = text[at];
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\')
            ++i;
        else if (text[i] == quote)
            return i + 1;
    }
    return text.size();
}

}  // namespace

bool names_assignment(const std::string& text, const std::vector<std::string>& left_out) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return std::any_of(left_out.begin(), left_out.end(), [&](const std::string& name) {
        // "reduction": any stage or file of it. "transpose/padding": that one, also as "transpose/4_padding".
        const auto slash = name.find('/');
        const std::string mark = name.substr(0, slash) + "/",
                          id = slash == std::string::npos ? "" : name.substr(slash + 1);
        for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
            std::size_t from = at + mark.size();
            const bool is_whole = at == 0 || !is_letter(text[at - 1]);
            if (!is_whole || from >= text.size()) continue;
            while (!id.empty() && from < text.size() && is_digit(text[from])) ++from;
            if (!id.empty() && from < text.size() && text[from] == '_') ++from;
            if (text.compare(from, id.size(), id) != 0) continue;
            const std::size_t end = from + id.size();
            const char next = end < text.size() ? text[end] : ' ';
            if (id.empty() ? is_letter(next) || is_digit(next) : !is_letter(next)) return true;
        }
        return false;
    });
}

std::string with_hints(const std::string& toml, std::size_t most) {
    std::string out;
    std::size_t from = 0;
    const std::string mark = "\nhints = [";
    for (auto at = toml.find(mark); at != std::string::npos; at = toml.find(mark, from)) {
        std::size_t i = at + mark.size(), kept = i, count = 0;
        out += toml.substr(from, i - from);
        while (i < toml.size() && toml[i] != ']') {
            if (toml[i] != '"' && toml[i] != '\'') {
                ++i;
                continue;
            }
            const std::size_t end = end_of_string(toml, i);
            if (count++ < most) {
                out += toml.substr(kept, end - kept);
                kept = end;
            }
            i = end;
        }
        out += count > 0 && most > 0 ? ",\n" : "";
        from = i;
    }
    return out + toml.substr(from);
}

std::string without_assignments(const std::string& markdown, const std::vector<std::string>& left_out) {
    std::string text, section;
    bool is_code = false;
    const auto flush = [&] {
        if (!section.starts_with("## ") || !names_assignment(section, left_out)) text += section;
        section.clear();
    };
    std::istringstream lines(markdown);
    for (std::string line; std::getline(lines, line);) {
        is_code = line.starts_with("```") ? !is_code : is_code;
        if (!is_code && line.starts_with("## ")) flush();
        section += line + "\n";
    }
    flush();
    return text;
}

std::string without_dead_links(const std::string& markdown, const std::string& folder,
                               const std::set<std::string>& members) {
    std::string text = markdown;
    for (auto middle = text.find("]("); middle != std::string::npos; middle = text.find("](", middle + 1)) {
        const auto end = text.find(')', middle);
        const auto begin = text.rfind('[', middle);
        if (end == std::string::npos || begin == std::string::npos) continue;
        std::string target = text.substr(middle + 2, end - middle - 2);
        target = target.substr(0, target.find('#'));
        if (!target.ends_with(".md") || target.find(':') != std::string::npos) continue;
        if (members.contains((std::filesystem::path(folder) / target).lexically_normal().string())) continue;
        const std::string words = text.substr(begin + 1, middle - begin - 1);
        text.replace(begin, end + 1 - begin, words);
        middle = begin;
    }
    return text;
}

}  // namespace warpgrade::classroom
