#include "run/launcher_lines.hpp"

#include <algorithm>
#include <regex>

#include "base/code_text.hpp"
#include "base/text.hpp"
#include "course/source_outline.hpp"
#include "course/source_text.hpp"
#include "run/access_place.hpp"
#include "run/line_context.hpp"
#include "run/sum_text.hpp"

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

namespace {

// What stands in the brackets behind the first of these words on the line; "" none, or they end on another one.
std::string condition_on(const std::string& text, const std::regex& head) {
    std::smatch match;
    if (text.size() > 400 || !std::regex_search(text, match, head)) return {};
    const std::size_t open = static_cast<std::size_t>(match.position() + match.length()) - 1;
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        depth += (text[i] == '(') - (text[i] == ')');
        if (depth == 0) return std::string(trimmed(std::string_view(text).substr(open + 1, i - open - 1)));
    }
    return {};
}

}  // namespace

LauncherTest test_before_launch(const std::string& source, int launch, bool has_elements) {
    static const std::regex head(R"re(\b(?:if|while)\s*\()re"), test(R"re(\bif\s*\()re");
    static const std::regex of_nothing(R"re(^\(?\w+\s*(?:==|<=)\s*0\)?(?:\s*\|\|\s*\(?\w+\s*(?:==|<=)\s*0\)?)*$)re");
    const std::string code = without_comments(source);
    const Outline outline = outline_of(source);
    const FunctionText* function = outline.at(launch);
    if (function == nullptr) return {};
    const int held = line_of_test(source, launch);
    const LoopBody loop = loop_body(source, launch);
    for (int line = launch; line >= function->line; --line) {
        const std::string text(line_of(code, line));
        const bool returns = text.find("return") != std::string::npos ||
                             (line < launch && trimmed(line_of(code, line + 1)).starts_with("return"));
        std::string condition;
        if (line == held || (returns && line != launch)) condition = condition_on(text, test);
        if (line == loop.line) condition = loop.condition;
        if (condition.empty() || condition == "true" || condition == "1" || condition.size() > 60) continue;
        if (has_elements && std::regex_match(condition, of_nothing)) continue;
        return {line, condition};
    }
    return {};
}

KeptVariable variable_kept(const std::string& source) {
    const std::string code = without_comments(source);
    KeptVariable kept;
    for (const VariableText& variable : outline_of(source).variables) {
        if (!variable.is_on_device || variable.is_array || variable.is_constant) continue;
        const std::string& name = variable.name;
        const std::regex changes(R"re(\batomic\w+\s*\(\s*&\s*)re" + name + R"re(\b|\b)re" + name +
                                 R"re(\s*(?:\+\+|\+=|-=)|\+\+\s*)re" + name + R"re(\b)re");
        const std::regex sets(R"re(^\s*(?:.*[;){}]\s*)?)re" + name + R"re(\s*=[^=])re");
        const int line = first_line_like(source, changes);
        if (line == 0 || first_line_like(source, sets) != 0) continue;
        if (kept.line != 0) return {};
        kept = {variable.line, line, name};
    }
    return kept;
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
