#include "run/launcher_lines.hpp"

#include <algorithm>
#include <regex>

#include "base/code_text.hpp"
#include "base/text.hpp"
#include "course/source_text.hpp"
#include "run/access_place.hpp"

namespace warpgrade {

int line_never_reached(const std::string& source, const DeviceRun& run) {
    static const std::regex store(R"re(\bif\s*\(.*\)\s*(\w+)\s*\[[^;=]*\]\s*[-+]?=[^=])re");
    const std::string code = without_comments(source);
    const auto shared = shared_names(source);
    const auto has_run = [&](int first, int last) {
        return std::any_of(run.result.by_line.begin(), run.result.by_line.end(), [&](const vgpu::LineCounters& one) {
            return one.line >= first && one.line <= last && one.counters.warp_instructions != 0;
        });
    };
    const auto stores = [&](int line) {
        return std::any_of(run.result.by_line.begin(), run.result.by_line.end(), [&](const vgpu::LineCounters& one) {
            return one.line == line && one.counters.global_store_requests != 0;
        });
    };
    const int lines = 1 + static_cast<int>(std::count(code.begin(), code.end(), '\n'));
    int found = 0;
    for (int line = 2, head = 1; line <= lines; ++line) {
        const std::string text(line_of(code, line));
        if (text.find("__global__") != std::string::npos) head = line;
        std::smatch match;
        if (text.size() > 400 || !std::regex_search(text, match, store) || shared.contains(match[1].str())) continue;
        if (stores(line) || !has_run(head, line - 1)) continue;
        if (found != 0) return 0;
        found = line;
    }
    return found;
}

int line_of_return(const std::string& source, int launch) {
    const std::string code = without_comments(source);
    const int lines = 1 + static_cast<int>(std::count(code.begin(), code.end(), '\n'));
    for (int line = launch + 1; launch != 0 && line <= lines; ++line) {
        if (line_of(code, line).starts_with("}")) break;
        if (column_of(line_of(code, line), "return") != 0) return line;
    }
    return 0;
}

int line_of_next_count(const std::string& source, int launch) {
    static const std::regex sets(R"re(^\s*n\s*=[^=])re");
    const std::string code = without_comments(source);
    const int lines = 1 + static_cast<int>(std::count(code.begin(), code.end(), '\n'));
    int found = 0;
    for (int line = launch + 1; launch != 0 && line <= lines; ++line) {
        const std::string text(line_of(code, line));
        if (text.starts_with("}")) break;
        if (text.size() > 400 || !std::regex_search(text, sets)) continue;
        if (found != 0) return 0;
        found = line;
    }
    return found;
}

int line_of_launcher(const std::string& source) {
    const std::string code = without_comments(source);
    const int lines = 1 + static_cast<int>(std::count(code.begin(), code.end(), '\n'));
    int head = 0, found = 0;
    for (int line = 1; line <= lines; ++line) {
        const std::string_view text = line_of(code, line);
        if (!text.empty() && !is_blank(text.front()) && text.find('(') != text.npos) head = line;
        if (text.find("<<<") == text.npos || head == found) continue;
        if (found != 0) return 0;
        found = head;
    }
    return found;
}

}  // namespace warpgrade
