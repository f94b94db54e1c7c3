#include "run/race_cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

#include "base/text.hpp"
#include "course/source_text.hpp"
#include "run/guard_text.hpp"
#include "run/index_text.hpp"
#include "run/line_context.hpp"
#include "run/source_numbers.hpp"

namespace warpgrade {

std::string advice_on_barrier_behind_test(const Scene& scene, int first, int last) {
    const std::string code = without_comments(scene.source);
    static const std::regex head(R"re(\bif\s*\()re");
    for (int line = first; line <= last; ++line) {
        const std::string text(line_of(code, line));
        const std::size_t barrier = text.find("__syncthreads()");
        if (barrier == std::string::npos || text.size() > 400) continue;
        std::smatch match;
        const std::string before = text.substr(0, barrier);
        const bool is_own = std::regex_search(before, match, head);
        const int test = is_own ? line : line_of_test(scene.source, line);
        // A test that both accesses stand behind, too, keeps nobody from the barrier who comes to them.
        if (test < first || (test == first && !is_own) || (is_own && line == first)) continue;
        const std::string of(line_of(code, test));
        if (!std::regex_search(of, match, head)) continue;
        const std::size_t open = static_cast<std::size_t>(match.position() + match.length()) - 1;
        std::size_t close = open;
        for (int depth = 0; close < of.size(); ++close) {
            depth += (of[close] == '(') - (of[close] == ')');
            if (depth == 0) break;
        }
        if (close >= of.size()) continue;
        return fmt::format(
            "the __syncthreads() in line {} is reached only where `{}` holds: take it out of the `if`, so that all "
            "threads "
            "of the block come to it each time",
            line, trimmed(std::string_view(of).substr(open + 1, close - open - 1)));
    }
    return {};
}

std::string advice_on_handed_over(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    const BufferLayout* layout = scene.layout();
    if (launch == nullptr || layout == nullptr || layout->role != BufferRole::out) return {};
    const int line =
        scene.finding.access == vgpu::AccessKind::read ? scene.finding.place.line : scene.finding.other.line;
    const std::string code = without_comments(scene.source);
    const std::string& in = scene.run.layout.front().name;
    if (subscripts_of(line_of(code, line), in).empty() || in == scene.finding.buffer) return {};
    // Of several launches of the kernel it is the one that names it twice.
    int twice = 0;
    for (const LaunchInfo& one : *scene.launches) {
        const std::string_view text = line_of(code, one.line);
        const std::size_t arguments = text.find(">>>");
        if (one.kernel != scene.finding.kernel || arguments == text.npos) continue;
        const std::string_view rest = text.substr(arguments);
        const int first = column_of(rest, scene.finding.buffer);
        if (first != 0 && column_of(rest.substr(static_cast<std::size_t>(first)), scene.finding.buffer) != 0)
            twice = one.line;
    }
    if (twice == 0) return {};
    return fmt::format(
        "the launch in line {0} hands `{1}` over twice, so that what line {2} calls `{3}` is `{1}`, which others store "
        "to "
        "at the same time: read from `{3}`, and store to `{1}`",
        twice, scene.finding.buffer, line, in);
}

std::string advice_on_axis(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const vgpu::Dim3 &a = finding.place.thread, &b = finding.other.thread;
    const LaunchInfo* launch = scene.launch();
    if (finding.place.block != finding.other.block || finding.other.line != finding.place.line || a.z != b.z ||
        launch == nullptr || launch->block.y == 1 || (a.x != b.x) == (a.y != b.y) ||
        loop_around(scene.source, finding.place.line).line != 0)
        return {};
    const char* axis = a.x == b.x ? "y" : "x";
    const auto lines = lines_that_bring("threadIdx", scene.source, finding.place.line, name_in_line(scene));
    const std::string code = without_comments(scene.source), part = std::string("threadIdx.") + axis;
    for (const int line : lines)
        if (line_of(code, line).find(part) != std::string_view::npos) return {};
    const auto subscripts = subscripts_of(line_of(code, finding.place.line), name_in_line(scene));
    const bool is_in_line = std::any_of(subscripts.begin(), subscripts.end(), [&](std::string_view subscript) {
        return subscript.find(part) != std::string_view::npos;
    });
    if (lines.empty() || is_in_line) return {};
    return fmt::format(
        "the two threads differ in {0} alone, and {1} that make the index take threadIdx.{2}: {0} has to enter it, too",
        part,
        lines.size() == 1 ? fmt::format("the line {}", lines.front())
                          : fmt::format("lines {} and {}", lines.front(), lines.back()),
        axis == std::string_view("y") ? "x" : "y");
}

std::string advice_on_factors(const Scene& scene) {
    const std::string code = without_comments(scene.source);
    const auto numbers = named_numbers(scene.source);
    static const std::regex product(R"re(\bblockIdx\.([xyz])\s*\*\s*(\w+)\s*\+)re");
    struct Factor {
        std::string name;
        int line = 0;
    };
    std::map<std::string, Factor> first;
    const std::size_t at = offset_of_line(code, scene.finding.place.line);
    if (at == std::string::npos) return {};
    const int from = line_at(code, start_of_function(code, at));
    for (int line = from; line <= scene.finding.place.line; ++line) {
        const std::string text(line_of(code, line));
        std::smatch match;
        if (text.size() > 300 || !std::regex_search(text, match, product)) continue;
        const auto known = first.find(match[1]);
        if (known == first.end()) {
            first[match[1]] = {match[2], line};
            continue;
        }
        const auto one = numbers.find(known->second.name), other = numbers.find(match[2].str());
        if (one == numbers.end() || other == numbers.end() || one->second.value == other->second.value) continue;
        return fmt::format(
            "line {} takes blockIdx.{} times {}, which is {}, and line {} times {}, which is {}: how far apart do "
            "blocks "
            "begin?",
            known->second.line, match[1].str(), known->second.name, one->second.value, line, match[2].str(),
            other->second.value);
    }
    return {};
}

}  // namespace warpgrade
