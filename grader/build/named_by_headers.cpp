#include "build/named_by_headers.hpp"

#include <algorithm>
#include <array>

namespace warpgrade {

namespace {

// Words that only a header brings, as nvcc 13 with GCC 12 has it; what includes nearly everything serves for all.
struct HeaderWord {
    std::string_view word;
    std::array<std::string_view, 2> headers;
};
constexpr std::array header_words{
    HeaderWord{"printf", {"cstdio", "stdio.h"}},      HeaderWord{"assert", {"cassert", "assert.h"}},
    HeaderWord{"FLT_MAX", {"cfloat", "float.h"}},     HeaderWord{"FLT_MIN", {"cfloat", "float.h"}},
    HeaderWord{"FLT_EPSILON", {"cfloat", "float.h"}}, HeaderWord{"DBL_MAX", {"cfloat", "float.h"}}};

// Of what CUDA's headers declare, as nvcc 13 refuses it in code of the host.
constexpr std::array device_only_words{
    "atomicAdd", "atomicSub", "atomicExch", "atomicMin", "atomicMax",      "atomicInc",      "atomicDec", "atomicCAS",
    "atomicAnd", "atomicOr",  "atomicXor",  "clock64",   "cyl_bessel_i0f", "cyl_bessel_i1f", "fdivide",   "fdividef",
    "norm",      "normf",     "norm3d",     "norm3df",   "norm4d",         "norm4df",        "rhypot",    "rhypotf",
    "rnorm",     "rnormf",    "rnorm3d",    "rnorm3df",  "rnorm4d",        "rnorm4df"};

// nvcc's linker finds none of them: the launcher's own code has no place among threads.
constexpr std::array variables_of_threads{"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
}  // namespace

bool is_of_threads(std::string_view word) {
    return std::ranges::find(variables_of_threads, word) != variables_of_threads.end();
}

bool is_device_only(std::string_view word) {
    if (std::ranges::find(device_only_words, word) != device_only_words.end()) return true;
    if (!word.starts_with("__") || word.ends_with("__")) return false;
    for (const std::string_view not_a_function :
         {"__builtin_",   "__restrict", "__align",        "__attribute",   "__declspec",      "__half",
          "__float2half", "__bfloat",   "__float2bfloat", "__double2half", "__double2bfloat", "__floats2",
          "__low",        "__high",     "__nv_",          "__asm",         "__typeof",        "__alignof",
          "__func",       "__has_",     "__pipeline",     "__FUNCTION",    "__is_",           "__cudaCDP"})
        if (word.starts_with(not_a_function)) return false;
    return word.size() > 2 && word[2] >= 'a' && word[2] <= 'z';
}

bool is_host_runtime(std::string_view name) {
    // Kernels alone have these two, and they need no library.
    if (name == "cudaGridDependencySynchronize" || name == "cudaTriggerProgrammaticLaunchCompletion") return false;
    return name.size() > 4 && name.starts_with("cuda") && name[4] >= 'A' && name[4] <= 'Z' && !name.ends_with("_t");
}

namespace {

// The line of its first use; 0: it is not used.
int first_use_of(const HeaderWord& known, const std::vector<source::CodeToken>& code) {
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
        const bool is_member =
            i > 0 && (code[i - 1].text == "." || code[i - 1].text == "->" || code[i - 1].text == "::");
        const bool is_used = code[i + 1].text == "(" || known.headers[0] == "cfloat";
        if (code[i].text == known.word && is_used && !is_member) return code[i].at.line;
    }
    return 0;
}

}  // namespace

std::vector<MissingHeader> missing_headers(const source::Facts& facts) {
    const std::vector<std::string_view>& includes = facts.tree->tokens.includes;
    for (const std::string_view header : includes)
        if (header.starts_with("cooperative_groups") || header.starts_with("cuda/") || header == "iostream") return {};
    std::vector<MissingHeader> missing;
    for (const HeaderWord& known : header_words) {
        const bool is_included = std::ranges::any_of(includes, [&](std::string_view header) {
            return header == known.headers[0] || header == known.headers[1];
        });
        if (is_included || facts.function_named(known.word) != nullptr) continue;
        if (const int line = first_use_of(known, facts.tree->tokens.code))
            missing.push_back({line, known.word, known.headers[0]});
    }
    return missing;
}

}  // namespace warpgrade
