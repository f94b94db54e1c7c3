#include "run/same_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "course/source_text.hpp"
#include "problem/expression.hpp"
#include "run/guard_text.hpp"
#include "run/index_text.hpp"
#include "run/row_length.hpp"
#include "run/source_numbers.hpp"

namespace warpgrade {

namespace {

// Of two threads of one block that store to one element: where the next row of threads begins, which is further on than
// this one is long. 0: it is not so, or not known.
std::int64_t rows_begin_apart(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const LaunchInfo* launch = scene.launch();
    if (launch == nullptr || finding.place.block != finding.other.block || finding.width_bytes == 0) return 0;
    const vgpu::Dim3 &a = finding.place.thread, &b = finding.other.thread;
    const std::int64_t down = std::int64_t{a.y} - b.y, along = std::int64_t{b.x} - a.x;
    const std::int64_t apart = down == 1 ? along : down == -1 ? -along : 0;
    const std::int64_t element = finding.offset_bytes / finding.width_bytes;
    // The address itself has to say so.
    const bool fits = element == apart * a.y + a.x && element == apart * b.y + b.x;
    return fits && apart > 0 && apart < launch->block.x && a.z == b.z ? apart : 0;
}

// Two blocks side by side that store to one element: the second begins less than a block's width further on.
std::string advice_on_overlap(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const LaunchInfo* launch = scene.launch();
    if (launch == nullptr || loop_around(scene.source, finding.place.line).line != 0) return {};
    const bool is_first = finding.place.block.x + finding.place.block.y < finding.other.block.x + finding.other.block.y;
    const vgpu::ThreadPlace &before = is_first ? finding.place : finding.other,
                            &behind = is_first ? finding.other : finding.place;
    const std::int64_t x = std::int64_t{before.thread.x} - behind.thread.x,
                       y = std::int64_t{before.thread.y} - behind.thread.y;
    if (before.block.z != behind.block.z || (x != 0) == (y != 0)) return {};
    const bool is_next = behind.block.x + behind.block.y == before.block.x + before.block.y + 1 &&
                         (behind.block.x == before.block.x || behind.block.y == before.block.y);
    const std::int64_t apart = x + y, threads = x != 0 ? launch->block.x : launch->block.y;
    if (!is_next || apart <= 0 || apart >= threads) return {};
    // One step along x, and a whole block of steps along y.
    const bool is_across = (x != 0) == (behind.block.x == before.block.x);
    // A tile that is turned goes along the other axis.
    if (is_across && apart == 1 && scene.source.find("__shared__") == std::string::npos)
        return fmt::format(
            "one step in {} comes to the same place as {} steps in {}: so long is a row in this index, and the matrix "
            "has longer ones",
            x != 0 ? "x" : "y", x != 0 ? launch->block.y : launch->block.x, x != 0 ? "y" : "x");
    return fmt::format(
        "a block has {} threads there, and block {} begins {} further on than block {}: make the block (line {}) and "
        "what blockIdx is multiplied by one size",
        threads, to_text(behind.block), apart, to_text(before.block), launch->line);
}

// Two blocks that differ in z alone.
std::string advice_on_layers(const Scene& scene) {
    const vgpu::Dim3 &a = scene.finding.place.block, &b = scene.finding.other.block;
    if (a.x != b.x || a.y != b.y || a.z == b.z) return {};
    const std::string code = without_comments(scene.source);
    const int last = 1 + static_cast<int>(std::count(code.begin(), code.end(), '\n'));
    for (int line = 1; line <= last; ++line) {
        const std::string_view text = line_of(code, line);
        if (text.find("blockIdx.y") != text.npos && text.find("blockIdx.z") == text.npos)
            return fmt::format(
                "the two blocks differ in blockIdx.z alone, and line {} takes blockIdx.y without it: blockIdx.z * "
                "gridDim.y + blockIdx.y",
                line);
    }
    return "the two blocks differ in blockIdx.z alone: does it enter the index?";
}

}  // namespace

std::string advice_on_thread_step(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    const LoopText loop = loop_around(scene.source, scene.finding.place.line);
    static const std::regex head(R"re(=\s*(\w+)\s*[;]|=\s*([^;]*threadIdx\.[^;]*);)re"),
        step(R"re(\+=\s*([\w\s*/]+)$)re");
    std::smatch from, by;
    if (launch == nullptr || loop.head.size() > 300 || !scene.run.variant.empty() ||
        !std::regex_search(loop.head, from, head) || !std::regex_search(loop.head, by, step))
        return {};
    std::string first = from[2];
    if (from[1].matched) {
        const std::string code = without_comments(scene.source);
        first = line_of(code, line_that_sets(scene.source, loop.line, from[1].str()));
    }
    const bool is_of_all =
        first.find("threadIdx.x") != first.npos && (first.find("threadIdx.y") != first.npos || launch->block.y == 1);
    ExpressionScope scope;
    for (const auto& [name, number] : named_numbers(scene.source)) scope.names.emplace(name, number.value);
    const auto value = evaluate(by[1].str(), scope);
    if (!is_of_all || !value.ok() || std::cmp_greater_equal(value.value, launch->block.count())) return {};
    return fmt::format(
        "the loop in line {} begins at the number of the thread and goes on by {}, and the block has {} threads: by "
        "that many",
        loop.line, value.value, launch->block.count());
}

std::string advice_on_blocks(const Scene& scene) {
    if (std::string advice = advice_on_row_length(scene); !advice.empty()) return advice;
    if (std::string advice = advice_on_layers(scene); !advice.empty()) return advice;
    if (std::string advice = advice_on_overlap(scene); !advice.empty()) return advice;
    return "blocks run in any order: which part of blockIdx is to keep their places apart here?";
}

std::string advice_on_element(const Scene& scene, const std::string& name) {
    if (const std::int64_t apart = rows_begin_apart(scene); apart != 0)
        return fmt::format(
            "the threads of a row store to {} elements, and the next row begins {} further on, into them: how long is "
            "a row of `{}`?",
            scene.launch()->block.x, apart, name);
    if (std::string advice = advice_on_modulus(scene.source, scene.finding.place.line, name); !advice.empty())
        return advice;
    if (std::string advice = advice_on_thread_step(scene); !advice.empty()) return advice;
    return "which index do the two threads share? each element is one thread's to store between two barriers";
}

}  // namespace warpgrade
