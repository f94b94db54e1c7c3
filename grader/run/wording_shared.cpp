// Words for accesses outside of arrays that a block shares.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <regex>

#include "base/text.hpp"
#include "course/source_text.hpp"
#include "problem/expression.hpp"
#include "run/guard_text.hpp"
#include "run/index_text.hpp"
#include "run/line_context.hpp"
#include "run/loop_turns.hpp"
#include "run/source_numbers.hpp"
#include "run/wording.hpp"
#include "run/wording_memory.hpp"

namespace warpgrade {

namespace {

using vgpu::FindingKind;

// `tile[threadIdx.y + j]` in a loop over j that does not go on by as many as the block has threads there.
Advice advice_on_step(const Scene& scene, const std::string& name) {
    const LaunchInfo* launch = scene.launch();
    const LoopText loop = loop_around(scene.source, scene.finding.place.line);
    static const std::regex step(
        R"re((?:;\s*(?:\+\+\s*(\w+)|(\w+)\s*\+\+|(\w+)\s*\+=\s*(\w+(?:\s*[*/]\s*\w+)?))\s*$))re");
    std::smatch match;
    if (launch == nullptr || loop.line == 0 || !std::regex_search(loop.head, match, step)) return {};
    const std::string variable = match[1].str() + match[2].str() + match[3].str(), by = match[4];
    const bool is_plain = by.find_first_not_of("0123456789") == by.npos;
    ExpressionScope scope;
    for (const auto& [name_of, number] : named_numbers(scene.source)) scope.names.emplace(name_of, number.value);
    const auto known = evaluate(by.empty() ? "1" : by, scope);
    if (!known.ok() || (!is_plain && !scene.run.variant.empty())) return {};  // it may have another value there
    const std::int64_t value = known.value;
    const std::regex sum(R"re(threadIdx\.([xy])\s*\+\s*)re" + variable + R"re(\b)re");
    const std::string line(line_of(scene.source, scene.finding.place.line));
    std::smatch added;
    if (column_of(line, name) == 0 || !std::regex_search(line, added, sum)) return {};
    const std::int64_t threads = added[1] == "x" ? launch->block.x : launch->block.y;
    if (threads == value) return {};
    const bool is_x = added[1] == "x";
    if (value == (is_x ? launch->block.y : launch->block.x))
        return fmt::format(
            "the loop in line {} goes on by {}{}, as many as the block has threads in {}, and here `{}` is added to "
            "threadIdx.{}: does it belong to threadIdx.{}?",
            loop.line, by.empty() ? "1" : by, is_plain ? "" : fmt::format(" = {}", value), is_x ? "y" : "x", variable,
            added[1].str(), is_x ? "y" : "x");
    return {fmt::format("the block has {} threads in {}, by the launch in line {}, and the loop in line {} goes on by "
                        "{}{}: are these meant to be one number?",
                        threads, added[1].str(), launch->line, loop.line, by.empty() ? "1" : by,
                        is_plain ? "" : fmt::format(" = {}", value)),
            loop.line};
}

// for (j = threadIdx.y; ...) and `tile[threadIdx.y + j]`.
Advice advice_on_start(const Scene& scene, const std::string& name) {
    const LoopText loop = loop_around(scene.source, scene.finding.place.line);
    static const std::regex start(R"re((\w+)\s*=\s*(threadIdx\.[xy])\s*;)re");
    std::smatch match;
    const std::string line(line_of(scene.source, scene.finding.place.line));
    if (loop.line == 0 || line.size() > 300 || column_of(line, name) == 0 ||
        !std::regex_search(loop.head, match, start))
        return {};
    const std::string variable = match[1], thread = match[2];
    const std::string axis = thread.substr(thread.size() - 1);
    const std::regex sum(R"re(threadIdx\.)re" + axis + R"re(\s*\+\s*)re" + variable + R"re(\b|\b)re" + variable +
                         R"re(\s*\+\s*threadIdx\.)re" + axis);
    if (!std::regex_search(line, sum)) return {};
    return fmt::format(
        "`{}` begins at {} in line {}, and the index adds {} once more: let it begin at 0, or leave {} out", variable,
        thread, loop.line, thread, thread);
}

// `partial[tid + s]` in a loop whose s begins with as many as the array has elements.
Advice advice_on_first_turn(const Scene& scene, const std::string& name, std::int64_t elements) {
    const LaunchInfo* launch = scene.launch();
    const LoopText loop = loop_around(scene.source, scene.finding.place.line);
    if (launch == nullptr || !scene.run.variant.empty() || elements == 0) return {};
    const LoopTurns turns = turns_of(loop, scene.source, launch->block.x);
    if (turns.values.empty() || turns.values.front() < elements) return {};
    const std::string code = without_comments(scene.source);
    const auto subscripts = subscripts_of(line_of(code, scene.finding.place.line), name);
    const bool is_added = std::any_of(subscripts.begin(), subscripts.end(), [&](std::string_view subscript) {
        return column_of(subscript, turns.variable) != 0;
    });
    if (!is_added) return {};
    return {fmt::format("the loop in line {} begins with `{}` = {}, and `{}` has {} elements: is that to be the first "
                        "step?",
                        loop.line, turns.variable, turns.values.front(), name, elements),
            loop.line};
}

// `tile[threadIdx.y * cols + threadIdx.x]`: as long as a row of the input is a row of the tile not.
std::string advice_on_pitch(const Scene& scene, const std::string& name) {
    static const std::regex factor(R"re(\*\s*(\w+)\s*\+)re");
    const LaunchInfo* launch = scene.launch();
    const std::string code = without_comments(scene.source);
    for (const std::string_view subscript : subscripts_of(line_of(code, scene.finding.place.line), name)) {
        const std::string text(subscript);
        std::smatch match;
        if (launch == nullptr || text.size() > 200 || !std::regex_search(text, match, factor)) continue;
        const auto& extents = scene.run.layout.front().extent_names;
        if (std::find(extents.begin(), extents.end(), match[1]) == extents.end()) continue;
        return fmt::format(
            "`{}` is how long a row of the whole matrix is; a row of `{}` is as long as the tile is wide, for a block "
            "of {} threads",
            match[1].str(), name, extents_text(launch->block));
    }
    return {};
}

// The index of a thread's own element in a tile with a border around it, without the border.
std::string advice_on_border(const Scene& scene, const std::string& name) {
    const LaunchInfo* launch = scene.launch();
    const auto extents = shared_extents(scene.source, name);
    if (launch == nullptr || extents.size() != 2) return {};
    const std::int64_t wide = extents[1] - launch->block.x, high = extents[0] - launch->block.y;
    if (wide <= 0 || high <= 0 || wide % 2 != 0 || high % 2 != 0) return {};
    return fmt::format(
        "`{}` is {} x {} for {} threads, so it has a border, and the element of thread (0,0,0) is [{}][{}]: is that "
        "offset in the index?",
        name, extents[0], extents[1], extents_text(launch->block), high / 2, wide / 2);
}

// `warp_sums[lane]` where lane is threadIdx.x % 32, and the array is shorter than that.
std::string advice_on_lane(const Scene& scene, const std::string& name, std::uint64_t elements) {
    const std::string code = without_comments(scene.source);
    const auto subscripts = subscripts_of(line_of(code, scene.finding.place.line), name);
    if (subscripts.size() != 1 || elements == 0) return {};
    const std::string index(subscripts.front());
    if (index.empty() || index.size() > 40 || !std::all_of(index.begin(), index.end(), is_word)) return {};
    const std::regex remainder(R"re(\b)re" + index +
                               R"re(\s*=\s*threadIdx\.x\s*(?:%\s*(\w+)|&\s*(31|\(\s*32\s*-\s*1\s*\)))\s*;)re");
    std::smatch match;
    if (!std::regex_search(code, match, remainder)) return {};
    const auto numbers = named_numbers(scene.source);
    const auto named = numbers.find(match[1].str());
    const std::int64_t of = match[2].matched || match[1] == "32" || match[1] == "warpSize" ? 32
                            : named != numbers.end()                                       ? named->second.value
                                                                                           : 0;
    if (of <= static_cast<std::int64_t>(elements)) return {};
    return fmt::format(
        "`{0}` goes up to {1}, and `{2}` has {3} elements: let those with {0} < {3} alone read, and the "
        "others bring 0: {0} < {3} ? {2}[{0}] : 0",
        index, of - 1, name, elements);
}

// The test looks at `tid`, and the index is `index`, which was made of it.
Advice advice_on_other_name(const Scene& scene, const std::string& name) {
    const auto made = variable_of_index(scene.source, scene.finding.place.line, name);
    if (!made) return {};
    for (const GuardText& guard : guards_before(scene.source, scene.finding.place.line, name))
        for (const GuardPart& part : guard.parts)
            if (part.left != made->name && column_of(made->expression, part.left) != 0)
                return fmt::format(
                    "the test in line {} looks at `{}`, and the index goes by `{}`, which line {} makes "
                    "of it: which of the two has to be inside?",
                    guard.line, part.left, made->name, made->line);
    return {};
}

// `slot` of partial[slot(tid)] decides where an element goes.
std::string advice_on_function(const Scene& scene, const std::string& name, std::uint64_t elements) {
    const auto made = function_of_index(scene.source, scene.finding.place.line, name);
    if (!made) return {};
    return fmt::format(
        "`{0}` in line {1} makes the index: work out {0}(...) for this thread, and compare it with the "
        "{2} elements that `{3}` has",
        made->name, made->line, elements, name);
}

// Below the array's start.
std::string advice_below_zero(const Scene& scene, const std::string& name) {
    const int line = scene.finding.place.line;
    if (std::string advice = advice_on_remainder(scene.source, line); !advice.empty()) return advice;
    const std::string code = without_comments(scene.source);
    static const std::regex difference(R"re(^\s*(\w+)\s*-\s*(\w+)\s*$)re");
    std::smatch match;
    std::string less, by;
    for (const std::string_view subscript : subscripts_of(line_of(code, line), name))
        if (const std::string text(subscript); std::regex_match(text, match, difference)) {
            less = match[1];
            by = match[2];
        }
    const auto made = variable_of_index(scene.source, line, name);
    if (less.empty())
        return made ? fmt::format("an index went below zero: which values does `{}` take by line {}?", made->name,
                                  made->line)
                    : "an index went below zero: guard it, or let this thread take another element";
    if (made && made->name == less)
        return fmt::format(
            "`{0} - {1}` went below zero: in each step `{0}` has to be {1} at least, and line {2} makes "
            "it {3}",
            less, by, made->line, made->expression);
    // A sum is left in the first element; a scan takes in what stands before.
    const bool is_sum = !scene.run.layout.empty() && scene.run.layout.back().elements() == 1;
    if (const auto step = tree_step(scene.source, line); is_sum && step && step->target == less)
        return fmt::format(
            "`{0} - {1}` went below zero: the first element is to have the sum in the end, so the "
            "partner of {0} is the one behind it, {0} + {1}",
            less, by);
    return fmt::format(
        "`{0} - {1}` went below zero: threads with {0} < {1} have no such element; let them take 0: "
        "{0} >= {1} ? {2}[{0} - {1}] : 0",
        less, by, name);
}

// `tile[threadIdx.y][threadIdx.x]` of a block that has more threads in x, or in y, than there are elements.
std::string advice_on_extents(const Scene& scene, const std::string& name) {
    const LaunchInfo* launch = scene.launch();
    const auto extents = shared_extents(scene.source, name);
    const std::string code = without_comments(scene.source);
    const auto accesses = accesses_of(line_of(code, scene.finding.place.line), name);
    static const std::regex own(R"re(^\s*threadIdx\.([xy])\s*$)re");
    if (launch == nullptr || extents.size() != 2 || accesses.size() != 1 || accesses.front().size() != 2) return {};
    for (std::size_t i = 0; i < 2; ++i) {
        const std::string subscript(accesses.front()[i]);
        std::smatch match;
        if (!std::regex_match(subscript, match, own)) continue;
        const std::int64_t threads = match[1] == "x" ? launch->block.x : launch->block.y;
        if (threads > extents[i])
            return fmt::format(
                "threadIdx.{} goes up to {} in the {} threads that line {} launches, and the {} extent of `{}` is {}: "
                "make them one size, or let a test keep the others out",
                match[1].str(), threads - 1, extents_text(launch->block), launch->line, i == 0 ? "first" : "second",
                name, extents[i]);
    }
    return {};
}

// for (k = 0; k < t; k += 8) of a tile of t rows that is no multiple of 8.
Advice advice_on_last_turn(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    const LoopText loop = loop_around(scene.source, scene.finding.place.line);
    static const std::regex head(R"re(<\s*(\w+)\s*;[^;]*\+=\s*(\w+)\s*$)re");
    std::smatch match;
    if (launch == nullptr || loop.line == 0 || !scene.run.variant.empty() || !std::regex_search(loop.head, match, head))
        return {};
    const std::string code = without_comments(scene.source);
    const int set = line_that_sets(scene.source, loop.line, match[1].str());
    ExpressionScope scope;
    for (const auto& [name, number] : named_numbers(scene.source)) scope.names.emplace(name, number.value);
    const auto step = evaluate(match[2].str(), scope);
    const std::int64_t rows = launch->block.x;
    if (set == 0 || line_of(code, set).find("blockDim.x") == std::string_view::npos || !step.ok() || step.value <= 0 ||
        rows % step.value == 0)
        return {};
    return fmt::format(
        "the loop in line {} goes on by {}, and {} is no multiple of that: in its last turn some threads are past row "
        "{} of "
        "the tile",
        loop.line, step.value, rows, rows - 1);
}

// `tile[threadIdx.y + j][threadIdx.x]` of a tile that has too few rows; `reach`: elements up to the last that the line
// comes to. Where the other index may go too far as well, nothing is known of this one.
std::string advice_on_rows(const Scene& scene, const std::string& name, std::int64_t reach) {
    const LaunchInfo* launch = scene.launch();
    const auto extents = shared_extents(scene.source, name);
    const std::string code = without_comments(scene.source);
    const auto accesses = accesses_of(line_of(code, scene.finding.place.line), name);
    static const std::regex own(R"re(^\s*threadIdx\.([xy])\s*$)re");
    if (launch == nullptr || extents.size() != 2 || accesses.size() != 1 || accesses.front().size() != 2) return {};
    const std::string column(accesses.front()[1]);
    std::smatch match;
    if (!std::regex_match(column, match, own) || (match[1] == "x" ? launch->block.x : launch->block.y) > extents[1] ||
        reach <= extents[0] * extents[1] ||
        extents[0] * extents[1] * scene.finding.width_bytes != static_cast<std::int64_t>(scene.finding.buffer_bytes))
        return {};
    const SharedText declared = shared_text(scene.source, name);
    return fmt::format(
        "on this line the first index, `{}`, goes up to {}, and `{}` has the rows 0 to {}: line {} declares {}",
        accesses.front()[0], (reach - 1) / extents[1], name, extents[0] - 1, declared.line, declared.text);
}

// `partial[THREADS]`: the index is a number.
std::string advice_on_number(const Scene& scene, const std::string& name, std::uint64_t elements) {
    const std::string code = without_comments(scene.source);
    const auto accesses = accesses_of(line_of(code, scene.finding.place.line), name);
    if (accesses.size() != 1 || accesses.front().size() != 1 || !scene.run.variant.empty()) return {};
    ExpressionScope scope;
    for (const auto& [known, number] : named_numbers(scene.source)) scope.names.emplace(known, number.value);
    const std::string index(accesses.front()[0]);
    const auto value = evaluate(index, scope);
    if (!value.ok() || value.value < static_cast<std::int64_t>(elements)) return {};
    const bool is_named = index != std::to_string(value.value);
    return fmt::format("the index is {}{} for every thread, and the {} elements of `{}` are counted from 0 to {}",
                       index, is_named ? fmt::format(" = {}", value.value) : "", elements, name, elements - 1);
}

// The test or the loop that lets the index grow, as far as its text shows: the nearest of the line and those above it.
Advice index_advice(const Scene& scene, const std::string& name) {
    const int line = scene.finding.place.line;
    if (std::string advice = advice_on_remainder(scene.source, line); !advice.empty()) return advice;
    if (std::string advice = advice_on_extents(scene, name); !advice.empty()) return advice;
    if (Advice advice = advice_on_start(scene, name); !advice.empty()) return advice;
    if (Advice advice = advice_on_step(scene, name); !advice.empty()) return advice;
    if (std::string advice = advice_on_modulus(scene.source, line, name); !advice.empty()) return advice;
    if (std::string advice = advice_on_pitch(scene, name); !advice.empty()) return advice;
    const std::int64_t width = std::max(1, scene.finding.width_bytes);
    const std::int64_t count = static_cast<std::int64_t>(scene.finding.buffer_bytes) / width;
    if (Advice advice = advice_on_first_turn(scene, name, count); !advice.empty()) return advice;
    if (std::string advice = advice_on_number(scene, name, static_cast<std::uint64_t>(count)); !advice.empty())
        return advice;
    const auto own = variable_of_index(scene.source, line, name);
    const vgpu::Dim3 block = scene.finding.place.block;
    const bool is_later_block = block.x + block.y + block.z > 0;
    // The length of the input bounds such an index rightly, where it is one of the input.
    if (is_later_block && own && own->expression.find("blockIdx") != std::string::npos &&
        scene.finding.access != vgpu::AccessKind::atomic)
        return fmt::format(
            "`{0}` counts through all blocks, by the blockIdx in line {1}, and each block has a `{2}` of its own: "
            "there the threads count from 0, by threadIdx alone",
            own->name, own->line, name);
    for (int above = line; above > 0 && above > line - 4; --above) {
        const std::string_view text = line_of(scene.source, above);
        const std::string where = above == line ? "on this line" : fmt::format("in line {}", above);
        if (text.find("for") != text.npos && text.find("<=") != text.npos)
            return {fmt::format("the loop {} takes its bound in as well: write < in place of <=", where), above};
        static const std::regex test(R"((\w+)\s*<\s*n\b)");
        const std::string tested(text);
        std::smatch match;
        bool is_length = scene.run.layout.front().extents.size() == 1 && std::regex_search(tested, match, test);
        if (is_length) {
            const auto subscripts = subscripts_of(line_of(scene.source, line), name);
            is_length = std::any_of(subscripts.begin(), subscripts.end(), [&](std::string_view subscript) {
                return column_of(subscript, match[1].str()) != 0;
            });
        }
        if (is_length)
            return {
                fmt::format("the test {} compares with `n`, the length of the input: `{}` is shorter{}", where, name,
                            scene.finding.access == vgpu::AccessKind::atomic
                                ? fmt::format(", and `{0}` a place in the input: is the value there meant, {1}[{0}]?",
                                              match[1].str(), scene.run.layout.front().name)
                                : ""),
                above};
    }
    for (const GuardText& guard : guards_before(scene.source, line, name))
        for (const GuardPart& part : guard.parts)
            if (!guard.returns && part.sign == "<=" && std::all_of(part.left.begin(), part.left.end(), is_word) &&
                std::all_of(part.right.begin(), part.right.end(), is_word) && part.right != "0")
                return {fmt::format("the test in line {} lets {} == {} through as well: write < in place of <=",
                                    guard.line, part.left, part.right),
                        guard.line};
    if (std::string advice = advice_on_rows(scene, name, static_cast<std::int64_t>(scene.finding.value) / width);
        !advice.empty())
        return advice;
    if (Advice advice = advice_on_other_name(scene, name); !advice.empty()) return advice;
    if (is_later_block)
        return fmt::format(
            "in block (0,0,0) no thread goes wrong here, so the index grows with blockIdx: each block has a "
            "`{}` of its own, counted from 0 by threadIdx",
            name);
    if (Advice advice = advice_on_block(scene); !advice.empty()) return advice;
    const LaunchInfo* launch = scene.launch();
    const std::uint64_t elements =
        scene.finding.buffer_bytes / static_cast<std::uint64_t>(std::max(1, scene.finding.width_bytes));
    if (std::string advice = advice_on_function(scene, name, elements); !advice.empty()) return advice;
    const bool is_line = shared_extents(scene.source, name).size() < 2;
    const SharedText declared = shared_text(scene.source, name);
    if (std::string advice = advice_on_lane(scene, name, elements); !advice.empty()) return advice;
    if (const auto made = variable_of_index(scene.source, scene.finding.place.line, name); made && is_line)
        return fmt::format(
            "which values does `{}` take, by line {}, and which of them are inside of the {} elements "
            "of `{}`?",
            made->name, made->line, elements, name);
    const std::string code = without_comments(scene.source);
    const auto subscripts = subscripts_of(line_of(code, line), name);
    const std::uint64_t reach =
        scene.finding.value / static_cast<std::uint64_t>(std::max(1, scene.finding.width_bytes));
    if (is_line && scene.finding.occurrences > 1 && reach > elements && reach < 2 * elements &&
        subscripts.size() == 1 && subscripts.front().find('*') != std::string_view::npos)
        return fmt::format("this index needs {} elements, and `{}` is declared with {}: rows, times how long each is",
                           reach, name, elements);
    if (launch && is_line && launch->block.count() == elements && scene.finding.offset_bytes >= 0)
        return fmt::format(
            "`{}` has one element for each of the {} threads: which of them are to go there, and is the partner of "
            "each "
            "inside?",
            name, elements);
    if (launch && scene.finding.buffer_bytes != 0 && launch->block.count() > elements)
        return fmt::format(
            "`{}` has {} elements{}, and the block {} threads: is it to have one for each of them, or is a test to "
            "keep the others out?",
            name, elements, declared.line == 0 ? "" : fmt::format(", by line {}, {}", declared.line, declared.text),
            launch->block.count());
    // Rows times the length of a row, in an array of one extent that has not room for all of them.
    const std::uint64_t needed =
        scene.finding.value / static_cast<std::uint64_t>(std::max(1, scene.finding.width_bytes));
    if (is_line && scene.finding.occurrences > 1 && needed > elements && needed < 2 * elements)
        return fmt::format("this index needs {} elements, and `{}` is declared with {}: rows, times how long each is",
                           needed, name, elements);
    return fmt::format("which values can the index have here? compare them with the extents of `{}`", name);
}

// Where the bytes are computed that a launch asks for, and how large an element is.
Advice advice_on_bytes(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    const int line = launch == nullptr ? 0 : launch->line;
    const std::string asked = launch_argument(scene.source, line, 2);
    if (asked.empty())
        return "compare the largest index with what was asked for: the third launch argument is in bytes, n * "
               "sizeof(float)";
    const int set = line_that_sets(scene.source, line, asked), where = set != 0 ? set : line;
    const std::string code = without_comments(scene.source);
    const std::string_view text = line_of(code, where);
    const int width = scene.finding.width_bytes;
    if (width != 4 && text.find("sizeof(float)") != text.npos)
        return {
            fmt::format("line {} counts sizeof(float) for each element, and here an element has {} bytes: sizeof(T)",
                        set != 0 ? set : line, width),
            where};
    if (text.find("sizeof") == text.npos)
        return {fmt::format("line {} says how many bytes: is it elements, without * sizeof(float)?", where), where};
    return {fmt::format("line {} says how many bytes: rows times the length of a row, with its padding, times the size "
                        "of an element",
                        where),
            where};
}

bool is_dynamic(const vgpu::Finding& finding) { return finding.buffer.empty() || finding.buffer == "shared memory"; }

// "tile[32][0], and the array is tile[32][33]", where its declaration tells the extents.
std::string element_of_array(const Scene& scene, const std::string& name, std::int64_t index, std::int64_t count) {
    const auto extents = shared_extents(scene.source, name);
    if (extents.size() == 1 && extents[0] == count)
        return fmt::format("this is {0}[{1}], and the last element is {0}[{2}]", name, index, count - 1);
    const std::string flat = fmt::format("counted flat, from 0: element {}, and the last is {}", index, count - 1);
    if (extents.size() != 2 || extents[0] * extents[1] != count) return flat;
    return fmt::format("{0}[{1}][{2}] in effect, of {0}[{3}][{4}]; {5}", name, index / extents[1], index % extents[1],
                       extents[0], extents[1], flat);
}

}  // namespace

Diagnostic describe_shared_bounds(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    const std::string name = shared_name(scene);
    diagnostic.title = fmt::format("{} outside of shared memory", verb(finding.access));
    diagnostic.marks.push_back(mark_of_access(scene, finding.place, name, finding.access,
                                              fmt::format("byte {} of `{}`", finding.offset_bytes, name)));
    if (finding.buffer_bytes != 0)
        diagnostic.facts.push_back(fmt::format("`{}` has {} bytes", name, finding.buffer_bytes));
    if (const auto made = variable_of_index(scene.source, finding.place.line, name))
        diagnostic.facts.push_back(fmt::format("`{}` is {}, by line {}", made->name, made->expression, made->line));
    if (finding.offset_bytes < 0) {
        diagnostic.facts.push_back(fmt::format("{} bytes before the start", -finding.offset_bytes));
        diagnostic.help = advice_on_border(scene, name);
        if (diagnostic.help.empty()) diagnostic.help = advice_below_zero(scene, name);
        return diagnostic;
    }
    const auto reach = static_cast<std::int64_t>(finding.value);  // of all occurrences
    // 2^32 elements and a few less.
    const std::int64_t element = finding.offset_bytes / std::max(1, finding.width_bytes);
    if (element > std::numeric_limits<std::int32_t>::max() && element <= std::numeric_limits<std::uint32_t>::max()) {
        diagnostic.facts.push_back(
            fmt::format("element {} is {} to an unsigned number", element, element - (std::int64_t{1} << 32)));
        diagnostic.help =
            "an index went below zero, where an unsigned number begins again at its end: look for a "
            "subtraction, and guard it";
        return diagnostic;
    }
    if (scene.launches != nullptr && has_no_dynamic_bytes(finding, *scene.launches)) {
        diagnostic.facts.push_back("the launch asks for 0 bytes of dynamic shared memory");
        if (finding.occurrences > 1)
            diagnostic.facts.push_back(
                fmt::format("the accesses of this line come up to byte {}, so {} are needed", reach - 1, reach));
        const LaunchInfo* launch = scene.launch();
        give(diagnostic, {"say how many bytes in the launch, as third argument: <<<grid, block, bytes>>>",
                          launch != nullptr ? launch->line : 0});
        if (launch != nullptr && launch->line != 0)
            diagnostic.marks.push_back(mark_of_launch(*launch, scene.path, scene.source));
    } else if (is_dynamic(finding)) {
        give(diagnostic, advice_on_step(scene, name));
        if (diagnostic.help.empty()) give(diagnostic, advice_on_last_turn(scene));
        if (diagnostic.help.empty())
            give(diagnostic,
                 advice_on_first_turn(
                     scene, name, static_cast<std::int64_t>(finding.buffer_bytes) / std::max(1, finding.width_bytes)));
        if (diagnostic.help.empty()) {
            if (finding.occurrences > 1)
                diagnostic.facts.push_back(
                    fmt::format("the accesses of this line come up to byte {}, so {} are needed", reach - 1, reach));
            give(diagnostic, advice_on_bytes(scene));
        }
    } else {
        const int bytes = finding.width_bytes > 0 ? finding.width_bytes : 4;
        if (finding.buffer_bytes != 0 && finding.offset_bytes % bytes == 0)
            diagnostic.facts.push_back(element_of_array(scene, name, finding.offset_bytes / bytes,
                                                        static_cast<std::int64_t>(finding.buffer_bytes) / bytes));
        give(diagnostic, index_advice(scene, name));
    }
    return diagnostic;
}

bool has_no_dynamic_bytes(const vgpu::Finding& finding, const std::vector<LaunchInfo>& launches) {
    return finding.kind == FindingKind::out_of_bounds_shared && is_dynamic(finding) && finding.offset_bytes >= 0 &&
           std::any_of(launches.begin(), launches.end(),
                       [&](const LaunchInfo& launch) { return launch.kernel == finding.kernel; }) &&
           std::none_of(launches.begin(), launches.end(), [&](const LaunchInfo& launch) {
               return launch.kernel == finding.kernel && launch.shared_bytes != 0;
           });
}

}  // namespace warpgrade
