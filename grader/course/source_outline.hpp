// The functions and variables that a submission's text defines, with the side of CUDA that each belongs to. NVRTC
// compiles everything as device code and so knows no sides; nvcc does, and so does who reads `__device__` in a head.
//
// Theory of operation. The text without comments is cut into tokens; what `#if 0` or `#ifndef __WARPGRADE__` leaves
// out, and every #else, is skipped. Heads are read at namespace and class scope up to `{` or `;`: a head with brackets
// is a function. Macros without parameters are looked into for decorations, functions that a macro writes are not seen.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

struct Token {
    std::string text;
    int line = 0, column = 0;
    bool is_word = false;
};

// Where code runs. `both` is `__host__ __device__`.
enum class Side { host, device, both, kernel };

struct FunctionText {
    std::string name;  // "grid_for"; of a constructor the class; "operator()" as "operator"
    Side side = Side::host;
    bool is_constexpr = false, is_member = false;
    bool has_conditions = false;               // a # line stands in its body
    int line = 0, last_line = 0;               // of the name, of the closing brace
    std::size_t body_begin = 0, body_end = 0;  // tokens between the braces
    // Can be called from code that runs on the device, on the host.
    bool is_on_device() const { return side != Side::host; }
};

struct VariableText {
    std::string name;
    int line = 0;
    bool is_on_device = false;  // __device__, __constant__, __managed__
    bool is_array = false, is_constant = false;
};

struct Outline {
    std::vector<Token> tokens;
    std::vector<FunctionText> functions;  // with a body, in order
    std::vector<VariableText> variables;  // at namespace scope
    std::set<std::string> includes;       // "cstdio"

    // The innermost function whose head or body holds the line; nullptr: none, or two side by side.
    const FunctionText* at(int line) const;
};

Outline outline_of(std::string_view source);

}  // namespace warpgrade
