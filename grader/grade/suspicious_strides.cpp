#include "grade/suspicious_strides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace warpgrade {

namespace {

class Strides : public SuspiciousText {
public:
    explicit Strides(const Outline& outline) : SuspiciousText(outline.tokens) {
        for (const FunctionText& function : outline.functions) {
            if (function.side != Side::kernel || function.has_conditions) continue;
            for (std::size_t i = function.body_begin; i + 2 < function.body_end; ++i) {
                start_by_blocks(i);
                place_times_place(i);
                quotient_and_remainder(function, i);
                if (tokens_[i].is_word) step_of_loop(function, i);
            }
        }
    }

private:
    // The tokens of an expression up to its `;`, or to the bracket that closes what it stands in.
    struct Range {
        std::size_t begin = 0, end = 0;
        bool is_empty() const { return end <= begin; }
    };
    Range expression(std::size_t begin, std::size_t end) const {
        int depth = 0;
        for (std::size_t i = begin; i < end; ++i) {
            depth += (text(i) == "(" || text(i) == "[") - (text(i) == ")" || text(i) == "]");
            if (depth < 0 || (depth == 0 && (text(i) == ";" || text(i) == ","))) return {begin, i};
        }
        return {};
    }
    bool has(Range range, std::string_view word) const {
        for (std::size_t i = range.begin; i < range.end; ++i)
            if (text(i) == word) return true;
        return false;
    }
    // Words that may stand for a number, apart from gridDim.x and the names of types.
    std::size_t factors(Range range) const {
        std::size_t count = 0;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            if (text(i) == "." || (i > 0 && text(i - 1) == ".")) continue;
            if (text(i) == "static_cast" || text(i) == "std" || text(i) == "size_t" || text(i) == "int" ||
                text(i) == "unsigned" || text(i) == "long" || text(i) == "gridDim")
                continue;
            count += tokens_[i].is_word;
        }
        return count;
    }
    // The only expression that sets the name in front of `before`, in its function; nothing where there are several.
    Range set_to(const FunctionText& function, std::string_view name, std::size_t before) const {
        Range only;
        for (std::size_t i = function.body_begin; i + 1 < before; ++i) {
            if (text(i) != name || text(i + 1) != "=" || text(i + 2) == "=" || text(i - 1) == ".") continue;
            if (!only.is_empty()) return {};
            only = expression(i + 2, function.body_end);
        }
        return only;
    }
    bool is_parameter(const FunctionText& function, std::string_view name) const {
        for (std::size_t i = function.body_begin; i-- > 0 && text(i) != function.name;)
            if (text(i) == name && (text(i + 1) == "," || text(i + 1) == ")")) return true;
        return false;
    }
    // for (i = ...; i < n; ...): n is a parameter, and nothing is added to it.
    bool goes_to_parameter(const FunctionText& function, std::string_view name) const {
        for (std::size_t i = function.body_begin; i + 3 < function.body_end; ++i)
            if (text(i) == name && text(i + 1) == "<" && (text(i + 3) == ";" || text(i + 3) == ")") &&
                is_parameter(function, text(i + 2)))
                return true;
        return false;
    }

    // i = blockIdx.x * THREADS + threadIdx.x, i < n, i += ...
    void step_of_loop(const FunctionText& function, std::size_t i) {
        const bool is_one = text(i + 1) == "+=", is_two = text(i + 1) == "+" && text(i + 2) == "=";
        if (!is_one && !is_two) return;
        const std::string_view index = text(i);
        Range step = expression(i + (is_one ? 2 : 3), function.body_end);
        const Range start = set_to(function, index, i);
        if (step.is_empty() || start.is_empty() || !has(start, "threadIdx")) return;
        if (!goes_to_parameter(function, index)) return;
        std::string name;
        if (step.end == step.begin + 1 && tokens_[step.begin].is_word) {
            name = text(step.begin);
            if (const Range set = set_to(function, name, i); !set.is_empty()) step = set;
        }
        if (!has(start, "blockIdx")) {
            if (has(step, "gridDim") && !has(start, "gridDim"))
                warn(start.begin,
                     "each block begins with the same elements, and goes on by the threads of all blocks: what one "
                     "block "
                     "takes, all of them take",
                     "begin behind the threads of the blocks before: blockIdx.x * blockDim.x + threadIdx.x");
            return;
        }
        // What a block's start is a multiple of.
        const bool is_wide = has(start, "blockDim") || factors(start) > 2;
        if (!is_wide || has(start, "gridDim")) return;
        if (has(step, "gridDim") && factors(step) == 0)
            return warn(
                step.begin,
                "this step is the number of blocks, and the grid has that many times the threads of a block: "
                "elements are taken more than once",
                fmt::format("go on by all threads of the grid, gridDim.{} * {}", axis_of(start), threads_of(start)));
        const bool is_of_a_block = !has(step, "gridDim") && factors(step) == 1 && step.end - step.begin <= 3 &&
                                   has(step, threads_of(start).substr(0, threads_of(start).find('.')));
        if (is_of_a_block)
            warn(step.begin,
                 "this step is as wide as one block, and each block goes on to the end: it takes the elements of the "
                 "blocks behind it as well",
                 fmt::format("go on by all threads of the grid, gridDim.{} * {}", axis_of(start), threads_of(start)));
    }
    // "y" of blockIdx.y * blockDim.y + threadIdx.y
    std::string axis_of(Range start) const {
        for (std::size_t i = start.begin; i + 2 < start.end; ++i)
            if (text(i) == "blockIdx" && text(i + 1) == ".") return std::string(text(i + 2));
        return "x";
    }
    // "THREADS" of blockIdx.x * THREADS + threadIdx.x
    std::string threads_of(Range start) const {
        for (std::size_t i = start.begin; i < start.end; ++i) {
            if (text(i) != "*") continue;
            const std::size_t other = text(i + 1) == "blockIdx" ? i - 1 : i + 1;
            const std::string extent = "blockDim." + axis_of(start);
            if (text(i - 1) == axis_of(start) && text(i + 1) == "blockIdx") return extent;
            if (text(other) == "blockDim") return extent;
            if (tokens_[other].is_word && text(other) != "blockIdx") return std::string(text(other));
        }
        return "blockDim." + axis_of(start);
    }

    // blockIdx.x * gridDim.x
    void start_by_blocks(std::size_t i) {
        if (text(i) != "blockIdx" && text(i) != "gridDim") return;
        const std::string_view other = text(i) == "blockIdx" ? "gridDim" : "blockIdx";
        std::size_t at = i + 3;
        if (text(i + 1) != ".") return;
        while (text(at) == ")") ++at;
        if (text(at) != "*" || text(at + 1) != other || text(at + 2) != "." || text(at + 3) != text(i + 2)) return;
        warn(
            i,
            fmt::format("gridDim.{0} is the number of blocks, and blockIdx.{0} * gridDim.{0} is no place where a block "
                        "begins",
                        text(i + 2)),
            fmt::format("block b begins behind the threads of the blocks before it: blockIdx.{0} * blockDim.{0}",
                        text(i + 2)));
    }

    // threadIdx.x * blockIdx.x + blockDim.x
    void place_times_place(std::size_t i) {
        const std::string_view one = text(i), axis = text(i + 2), other = text(i + 4);
        const bool is_product =
            (one == "threadIdx" && other == "blockIdx") || (one == "blockIdx" && other == "threadIdx");
        if (!is_product || text(i + 1) != "." || text(i + 3) != "*" || text(i + 5) != "." || text(i + 6) != axis)
            return;
        warn(i,
             fmt::format("{0}.{1} * {2}.{1} is the same for many threads, 0 for the first of each block and for all of "
                         "the first block",
                         one, axis, other),
             fmt::format("the blocks before it have blockIdx.{0} * blockDim.{0} threads, and threadIdx.{0} more come "
                         "before this one: add the two",
                         axis));
    }

    // r = i / rows, c = i % cols: of two numbers that the kernel is given.
    void quotient_and_remainder(const FunctionText& function, std::size_t i) {
        const std::string_view number = text(i), divisor = text(i + 2);
        if (text(i + 1) != "/" || !is_operand(i) || !is_parameter(function, divisor)) return;
        std::size_t other = 0;  // the remainder
        for (std::size_t at = function.body_begin; at + 2 < function.body_end; ++at) {
            if (text(at) != number || !is_operand(at) || (text(at + 1) != "%" && text(at + 1) != "/") || at == i)
                continue;
            const bool is_remainder = text(at + 1) == "%";
            // By both numbers, or twice by one: more than a row and a column is made of it.
            if (!is_remainder || other != 0 || text(at + 2) == divisor || !is_parameter(function, text(at + 2))) return;
            other = at;
        }
        if (other == 0) return;
        warn(
            other + 2,
            fmt::format("`{0} / {1}` and `{0} % {2}` do not go together: which row, and which place in it, come of one "
                        "divisor",
                        number, divisor, text(other + 2)),
            "divide by the length of a row, and take the remainder by that same length");
    }
    // A variable, and no part of a product before it.
    bool is_operand(std::size_t i) const {
        const std::string_view before = i > 0 ? text(i - 1) : std::string_view();
        return tokens_[i].is_word && before != "*" && before != "/" && before != "%" && before != "." && before != "->";
    }
};

}  // namespace

std::vector<SuspiciousPlace> suspicious_strides(const Outline& outline) { return Strides(outline).found; }

}  // namespace warpgrade
