#include "grade/barrier_advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "course/source_outline.hpp"
#include "course/source_text.hpp"
#include "run/line_context.hpp"
#include "run/wording.hpp"

namespace warpgrade {

namespace {

// Names of a kernel whose values differ from thread to thread.
std::set<std::string_view> names_of_threads(const Outline& outline, const FunctionText& kernel) {
    std::set<std::string_view> names{"threadIdx"};
    const auto text = [&](std::size_t i) { return std::string_view(outline.tokens[i].text); };
    for (std::size_t i = kernel.body_begin; i + 1 < kernel.body_end; ++i) {
        if (!outline.tokens[i].is_word || text(i + 1) != "=") continue;
        for (std::size_t end = i + 2; end < kernel.body_end && text(end) != ";"; ++end)
            if (names.contains(text(end))) names.insert(text(i));
    }
    return names;
}

bool looks_at_thread(const Outline& outline, const FunctionText& kernel, int test) {
    const auto names = names_of_threads(outline, kernel);
    bool is_condition = false;
    int depth = 0;
    for (std::size_t i = kernel.body_begin; i < kernel.body_end; ++i) {
        const Token& token = outline.tokens[i];
        if (token.line == test && token.text == "if") is_condition = true;
        if (!is_condition) continue;
        depth += (token.text == "(") - (token.text == ")");
        if (names.contains(token.text)) return true;
        if (depth == 0 && token.text == ")") return false;
    }
    return false;
}

// Behind the statement of the `if` in this line, its `else` too, nobody waits for the block any more. Where somebody
// does, those whom the test keeps out meet the others there: warps that do two things at once.
bool is_last_wait(const Outline& outline, const FunctionText& kernel, int test) {
    const auto text = [&](std::size_t i) {
        return i < kernel.body_end ? std::string_view(outline.tokens[i].text) : std::string_view();
    };
    std::size_t i = kernel.body_begin;
    while (i < kernel.body_end && (outline.tokens[i].line != test || text(i) != "if")) ++i;
    const auto past = [&](std::size_t open, std::string_view opens, std::string_view closes) {
        int depth = 0;
        for (; open < kernel.body_end; ++open) {
            depth += (text(open) == opens) - (text(open) == closes);
            if (depth == 0) return open + 1;
        }
        return open;
    };
    i = past(i + 1, "(", ")");
    if (text(i) == "{") {
        i = past(i, "{", "}");
    } else {
        while (i < kernel.body_end && text(i) != ";") ++i;
    }
    for (; i < kernel.body_end; ++i)
        if (text(i).find("sync") != std::string_view::npos || text(i) == "asm") return false;
    return true;
}

}  // namespace

std::optional<Diagnostic> barrier_of_some(const std::string& path, const std::string& source,
                                          const std::vector<vgpu::LineCounters>& by_line,
                                          const std::vector<LaunchInfo>& launches) {
    const std::string code = without_comments(source);
    // Barriers of another kind, with numbers and counts of threads, are told by their own rules.
    if (code.find("asm") != std::string::npos) return std::nullopt;
    const Outline outline = outline_of(source);
    std::optional<Diagnostic> told;
    std::vector<std::string> more;
    for (const vgpu::LineCounters& line : by_line) {
        const std::uint64_t came = line.counters.barriers;
        const FunctionText* kernel = line.line == 0 || came == 0 ? nullptr : outline.at(line.line);
        if (kernel == nullptr || kernel->side != Side::kernel ||
            line_of(code, line.line).find("__syncthreads()") == std::string_view::npos)
            continue;
        std::uint64_t warps = 0;
        for (const LaunchInfo& launch : launches)
            if (launch.kernel.substr(0, launch.kernel.find('<')) == kernel->name)
                warps += launch.grid.count() * ((launch.block.count() + 31) / 32);
        const int test = line_of_test(source, line.line);
        if (came >= warps || test < kernel->line || !looks_at_thread(outline, *kernel, test) ||
            !is_last_wait(outline, *kernel, test))
            continue;
        if (told) {
            more.push_back(std::to_string(line.line));
            continue;
        }
        told.emplace();
        told->blame = Blame::learner;
        told->severity = Severity::warning;
        told->code = "barrier_divergence";
        told->title = "only some warps of a block come to this __syncthreads()";
        told->marks.push_back(mark_of_line(line.line, path, source, "waits for all threads of the block"));
        if (test != line.line)
            told->marks.push_back(mark_of_line(test, path, source, "lets only some threads through"));
        told->facts.push_back(fmt::format("{} warps came here, of {} that were launched", came, warps));
        told->facts.push_back(
            "CUDA asks that all threads of a block come to it, and promises nothing where they do not");
        told->help =
            "let all threads come to it, outside of the `if`; among the 32 threads of one warp, __syncwarp() is enough";
    }
    if (!more.empty())
        told->facts.push_back(fmt::format("the same in line{} {}", more.size() == 1 ? "" : "s", fmt::join(more, ", ")));
    return told;
}

}  // namespace warpgrade
