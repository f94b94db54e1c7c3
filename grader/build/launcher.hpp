// Finds the launcher of a problem among the functions a submission defines, or says why it is not there.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "device/device.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

// "void transpose<float>(float const*, float*, int, int)" taken apart.
struct Demangled {
    std::string scope;       // "tools::" or "(anonymous namespace)::", or empty
    std::string name;        // "transpose"
    std::string parameters;  // "float const*, float*, int, int"
    bool is_template = false;
};
Demangled take_apart(std::string_view demangled);

// The mangled name of the launcher for `type`. Error: the learner's, with what was found and what was expected.
Result<std::string> find_launcher(std::span<const FunctionName> functions, const Problem& problem,
                                  const std::string& type, const std::string& path, const std::string& source);

}  // namespace warpgrade
