// Whole-number expressions of a problem.toml: "n / 32 + 4096", "rough(5000, 200000)".
//
// Theory of operation. A recursive descent over the text makes steps for a stack of numbers, which run once or, with
// other values of some names, for thousands of elements. The caller says what a name or a call means, so that the same
// grammar serves extents, sizes, drawn shapes and mistakes. Numbers have 64 bits; an overflow is an error, never a
// wrapped value. A comparison is 1 or 0.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

// Every expression has + - * / % << >> ( ), == != < <= > >= ! && ||, and min, max, sqrt, pow2, up, down, ceil (see
// handouts/authoring.md).
ExpressionValue evaluate(std::string_view text, const ExpressionScope& scope);

// An expression that is read once. `variables`: names whose values are given each time, in their order; the values of
// all other names are those of `scope`, which must outlive it.
class Formula {
public:
    Formula(std::string_view text, const ExpressionScope& scope, std::span<const std::string> variables = {});

    // What is wrong with the text.
    const std::optional<ExpressionError>& error() const { return error_; }
    ExpressionValue value(std::span<const std::int64_t> values = {}) const;
    bool uses(std::size_t variable) const;

    struct Step {
        enum class Kind : std::uint8_t { number, variable, unary, binary, usual, call };
        Kind kind = Kind::number;
        std::int64_t number = 0;  // or which variable, operator, usual function; of a call: how many arguments
        const ExpressionScope::Call* call = nullptr;
        int column = 0;
    };

private:
    std::vector<Step> steps_;
    std::optional<ExpressionError> error_;
};

}  // namespace warpgrade
