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
        if (step.is_empty() || start.is_empty() || !has(start, "blockIdx") || !has(start, "threadIdx")) return;
        if (!goes_to_parameter(function, index)) return;
        std::string name;
        if (step.end == step.begin + 1 && tokens_[step.begin].is_word) {
            name = text(step.begin);
            if (const Range set = set_to(function, name, i); !set.is_empty()) step = set;
        }
        // What a block's start is a multiple of.
        const bool is_wide = has(start, "blockDim") || factors(start) > 2;
        if (!is_wide || has(start, "gridDim")) return;
        if (has(step, "gridDim") && factors(step) == 0)
            return warn(step.begin,
                        "this step is the number of blocks, and the grid has that many times the threads of a block: "
                        "elements are taken more than once",
                        fmt::format("go on by all threads of the grid, gridDim.x * {}", threads_of(start)));
        const bool is_of_a_block = !has(step, "gridDim") && factors(step) == 1 && step.end - step.begin <= 3 &&
                                   has(step, threads_of(start).substr(0, threads_of(start).find('.')));
        if (is_of_a_block)
            warn(step.begin,
                 "this step is as wide as one block, and each block goes on to the end: it takes the elements of the "
                 "blocks behind it as well",
                 fmt::format("go on by all threads of the grid, gridDim.x * {}", threads_of(start)));
    }
    // "THREADS" of blockIdx.x * THREADS + threadIdx.x
    std::string threads_of(Range start) const {
        for (std::size_t i = start.begin; i < start.end; ++i) {
            if (text(i) != "*") continue;
            const std::size_t other = text(i + 1) == "blockIdx" ? i - 1 : i + 1;
            if (text(i - 1) == "x" && text(i + 1) == "blockIdx") return "blockDim.x";
            if (text(other) == "blockDim") return "blockDim.x";
            if (tokens_[other].is_word && text(other) != "blockIdx") return std::string(text(other));
        }
        return "blockDim.x";
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
};

}  // namespace

std::vector<SuspiciousPlace> suspicious_strides(const Outline& outline) { return Strides(outline).found; }

}  // namespace warpgrade
