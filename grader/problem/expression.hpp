// Whole-number expressions of a problem.toml: "n / 32 + 4096", "rough(5000, 200000)".
//
// Theory of operation. A recursive descent over the text, at once parser and evaluator: expressions are short, and are
// evaluated a few hundred times a check at most. What a name or a call means is asked of the caller, so that the same
// grammar serves extents, sizes and drawn shapes. Numbers have 64 bits; an overflow is an error, never a wrapped value.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpgrade {

struct ExpressionError {
    std::string says;  // "`cosl` is no name here", without the expression
    std::string help;  // "did you mean `cols`?"; may be empty
    int column = 0;    // 0-based, in the text
};

// What a name stands for, or a function of numbers. Looked up by name only.
struct ExpressionScope {
    using Call = std::function<std::int64_t(std::span<const std::int64_t>)>;
    struct Function {
        std::size_t arguments = 0;
        Call call;
    };
    std::map<std::string, std::int64_t, std::less<>> names;
    std::map<std::string, Function, std::less<>> functions;  // besides those that all expressions have
    // Functions of one name, not of numbers: elements(in).
    std::map<std::string, std::function<std::optional<std::int64_t>(std::string_view)>, std::less<>> of_names;
};

struct ExpressionValue {
    std::int64_t value = 0;
    std::optional<ExpressionError> error;
    bool ok() const { return !error; }
};

// Every expression has + - * / % << >> ( ), and min, max, sqrt, pow2, up, down, ceil (see handouts/authoring.md).
ExpressionValue evaluate(std::string_view text, const ExpressionScope& scope);

}  // namespace warpgrade
