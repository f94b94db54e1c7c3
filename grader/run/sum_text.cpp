#include "run/sum_text.hpp"

#include <algorithm>
#include <regex>

#include "base/code_text.hpp"
#include "course/source_text.hpp"
#include "run/access_place.hpp"

namespace warpgrade {

int first_line_like(const std::string& source, const std::regex& pattern) {
    constexpr std::size_t longest_text = 400;
    const std::string code = without_comments(source);
    const int lines = static_cast<int>(std::count(code.begin(), code.end(), '\n')) + 1;
    for (int line = 1; line <= lines; ++line)
        if (const std::string text(line_of(code, line));
            text.size() <= longest_text && std::regex_search(text, pattern))
            return line;
    return 0;
}

std::optional<std::pair<std::string, int>> brought_by_idle(const std::string& source) {
    static const std::regex conditional(
        R"re(\?\s*\w+\s*\[[^;?:]*\]\s*:\s*(-?[0-9]*\.?[0-9]*[1-9][0-9]*(?:\.[0-9]*)?f?)\s*[;)+])re");
    const int line = first_line_like(source, conditional);
    std::smatch match;
    const std::string text(line_of(source, line));
    if (line == 0 || !std::regex_search(text, match, conditional)) return std::nullopt;
    return std::pair{match[1].str(), line};
}

bool adds_in_place(const std::string& source) {
    const std::string code = without_comments(source);
    for (const std::string& name : shared_names(source))
        if (std::regex_search(code, std::regex("\\b" + name + R"re(\s*\[[^\]=]*\]\s*\+=)re"))) return true;
    return false;
}

int line_of_same_twice(const std::string& source) {
    return first_line_like(source, std::regex(R"re(\b([A-Za-z_]\w*)\s*\+\s*\1\s*[;)])re"));
}

int line_of_product(const std::string& source) {
    for (const std::string& name : shared_names(source)) {
        const std::regex stored("\\b" + name + R"re(\s*\[[^=]*\]\s*(?:\*=|=[^=][^;]*\*))re");
        if (const int line = first_line_like(source, stored); line != 0) return line;
    }
    return 0;
}

}  // namespace warpgrade
