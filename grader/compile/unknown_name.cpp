#include "compile/unknown_name.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <vector>

#include "base/near_names.hpp"
#include "base/text.hpp"

namespace warpgrade {
namespace {

// Misspelt ones get the right one offered.
const std::vector<std::string> cuda_words{"threadIdx",
                                          "blockIdx",
                                          "blockDim",
                                          "gridDim",
                                          "warpSize",
                                          "__syncthreads",
                                          "__syncwarp",
                                          "__shared__",
                                          "__global__",
                                          "__device__",
                                          "__host__",
                                          "__constant__",
                                          "__shfl_down_sync",
                                          "__shfl_xor_sync",
                                          "__shfl_sync",
                                          "__shfl_up_sync",
                                          "__ballot_sync",
                                          "__any_sync",
                                          "__all_sync",
                                          "__activemask",
                                          "atomicAdd",
                                          "atomicMax",
                                          "atomicMin",
                                          "atomicCAS",
                                          "atomicExch",
                                          "__threadfence",
                                          "__ldg",
                                          "dim3",
                                          "float2",
                                          "float4",
                                          "size_t",
                                          "nullptr",
                                          "printf",
                                          "assert",
                                          "cudaGetLastError",
                                          "cudaFuncSetAttribute",
                                          "cudaMemsetAsync",
                                          "cudaDeviceSynchronize",
                                          "__launch_bounds__",
                                          "__restrict__",
                                          "static_cast",
                                          "reinterpret_cast",
                                          "constexpr",
                                          "template",
                                          "typename",
                                          "extern",
                                          "static",
                                          "unsigned",
                                          "return",
                                          "continue",
                                          "sizeof",
                                          "while",
                                          "const",
                                          "float",
                                          "double",
                                          "struct",
                                          "void",
                                          "else",
                                          "bool",
                                          "true",
                                          "false",
                                          "for",
                                          "int",
                                          "if"};

// What it is called here that has this name elsewhere, or nothing.
struct ForeignWord {
    std::string_view word, meant;
};
constexpr std::array foreign_words{
    ForeignWord{"concept", "concepts came with C++20, and the file is compiled as C++17"},
    ForeignWord{"requires", "requires came with C++20, and the file is compiled as C++17"},
    ForeignWord{"then", "C++ has no then: if (condition) { ... }"},
    ForeignWord{"elif", "write else if"},
    ForeignWord{"elseif", "write else if"},
    ForeignWord{"endif", "a block ends with }"},
    ForeignWord{"boolean", "the type is called bool"},
    ForeignWord{"integer", "the type is called int"},
    ForeignWord{"real", "the type is called float"},
    ForeignWord{"byte", "the type is called unsigned char"},
    ForeignWord{"ulong", "the type is called unsigned long"},
    ForeignWord{"var", "write the type, int or float, or auto"},
    ForeignWord{"let", "write the type, int or float, or auto"},
    ForeignWord{"def", "a function begins with the type that it gives back, void if none"},
    ForeignWord{"function", "a function begins with the type that it gives back, void if none"},
    ForeignWord{"null", "write nullptr"},
    ForeignWord{"nil", "write nullptr"},
    ForeignWord{"None", "write nullptr"},
    ForeignWord{"True", "write true"},
    ForeignWord{"False", "write false"},
    ForeignWord{"define", "a line of the preprocessor's begins with #: write #define"},
    ForeignWord{"include", "a line of the preprocessor's begins with #: write #include"},
    ForeignWord{"pragma", "a line of the preprocessor's begins with #: write #pragma"},
    ForeignWord{"foreach", "write for (int i = 0; i < n; ++i)"},
    ForeignWord{"print", "write printf(\"...\\n\"), with #include <cstdio>"},
    ForeignWord{"println", "write printf(\"...\\n\"), with #include <cstdio>"},
    ForeignWord{"mod", "the rest of a division is a % b"},
    ForeignWord{"TODO", "a note of one's own stands behind //"},
    ForeignWord{"FIXME", "a note of one's own stands behind //"},
    ForeignWord{"syncthreads", "its name begins with two underscores: __syncthreads()"},
    ForeignWord{"shared", "its name has two underscores on either side: __shared__"},
    ForeignWord{"global", "its name has two underscores on either side: __global__"},
    ForeignWord{"device", "its name has two underscores on either side: __device__"},
    ForeignWord{"thread_id", "the number of a thread in its block is threadIdx.x"},
};

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

// The letters alone, so that thread_idx is threadIdx, and __sync_threads __syncthreads.
std::string bare(std::string_view text) {
    std::string out = lower(text);
    std::erase(out, '_');
    return out;
}

// The parts between underscores in one order: __shfl_sync_down has those of __shfl_down_sync.
std::vector<std::string> parts_of(std::string_view text) {
    std::vector<std::string> parts;
    for (const std::string_view part : split(text, '_'))
        if (!part.empty()) parts.emplace_back(part);
    std::sort(parts.begin(), parts.end());
    return parts;
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "`" : i + 1 == names.size() ? " and `" : ", `") + names[i] + "`";
    return text;
}

// Names that the file has elsewhere. Of names of one or two letters every other is a neighbour.
std::vector<std::string> own_names(const SourceView& view, const std::string& but) {
    std::set<std::string> names;
    for (const CodeToken& token : view.tokens())
        if (token.is_word && token.text.size() >= 3 && !std::isdigit(static_cast<unsigned char>(token.text[0])))
            names.emplace(token.text);
    names.erase(but);
    return {names.begin(), names.end()};
}

std::string near_name(const SourceView& view, const std::string& name) {
    const std::vector<std::string> own = own_names(view, name);
    // What differs in capital letters alone.
    for (const auto* words : {&own, &cuda_words})
        for (const std::string& word : *words)
            if (word != name && lower(word) == lower(name)) return word;
    for (const auto& [known, declared] : view.declared())
        if (known != name && lower(known) == lower(name)) return known;
    auto near = nearest_name(name, cuda_words);
    if (name.size() < 3) return "";
    if (const auto other = nearest_name(name, own);
        other && (!near || edit_distance(name, *other) <= edit_distance(name, *near)))
        near = other;
    if (near) return *near;
    for (const std::string& word : cuda_words)
        if (bare(word) == bare(name) || (parts_of(name).size() > 1 && parts_of(word) == parts_of(name))) return word;
    return "";
}

// The line above where `for (int name ...)` has a `;` for its body; 0: none.
int loop_cut_off(const SourceView& view, const std::string& name, int line) {
    for (std::size_t i = view.token_at(std::max(1, line - 3), 1); i < view.tokens().size(); ++i) {
        if (view.tokens()[i].line >= line) return 0;
        if (view.text(i) != "for" || view.text(i + 1) != "(") continue;
        const std::size_t behind = view.past(i + 1);
        for (std::size_t token = i + 2; token < behind; ++token)
            if (view.text(token) == name && view.text(behind) == ";" && view.tokens()[behind].line < line)
                return view.tokens()[i].line;
    }
    return 0;
}

// "`col` is", "`col` and `row` are": numbers that the lines just above declare and the file never asks for.
std::string unused_names(const SourceView& view, int line) {
    constexpr int most_lines = 12;
    std::vector<std::string> names;
    for (const auto& [name, declared] : view.declared())
        if (declared.line < line && declared.line + most_lines >= line && !declared.is_parameter &&
            !declared.is_function && view.uses_of(name) == 1)
            names.push_back(name);
    if (names.empty() || names.size() > 3) return {};
    return listed(names) + (names.size() == 1 ? " is" : " are");
}

// Declared, and not to be seen from the line.
std::string elsewhere(const SourceView& view, const std::string& name, int line) {
    const std::string function = view.function_at(line);
    const DeclaredName *later = nullptr, *ended = nullptr, *other = nullptr;
    for (const auto& [known, declared] : view.declared()) {
        if (known != name) continue;
        const bool is_here = declared.function == function && view.is_same_part(declared.line, line);
        if ((declared.scope_ends == 0 || is_here) && declared.line > line && !later) later = &declared;
        if (is_here && declared.line <= line && declared.scope_ends != 0 && declared.scope_ends <= line)
            ended = &declared;
        if (!is_here && declared.scope_ends != 0 && !declared.function.empty()) other = &declared;
    }
    if (ended)
        return "`" + name + "` of line " + std::to_string(ended->line) + " is known up to line " +
               std::to_string(ended->scope_ends) + " only: declare it in front of the brackets that end there";
    if (later)
        return "`" + name + "` is declared in line " + std::to_string(later->line) + ", below: move that above line " +
               std::to_string(line) + (later->is_function ? ", or write its head with a ; there first" : "");
    if (other && other->function != function)
        return "`" + name + "` belongs to `" + other->function + "` (line " + std::to_string(other->line) +
               "), and no other function sees it: pass it as an argument";
    return {};
}

// block(32, 32); as a statement, and `block` between <<< and >>> further on.
bool is_declared_for_launch(const SourceView& view, const std::string& name, std::size_t token) {
    const std::string_view before = token > 0 ? view.text(token - 1) : std::string_view();
    if ((before != ";" && before != "{" && before != "}") || view.text(view.past(token + 1)) != ";") return false;
    bool is_open = false;
    for (std::size_t i = token + 1; i < view.tokens().size(); ++i) {
        if (view.text(i) == "<<<") is_open = true;
        if (view.text(i) == ">>>") is_open = false;
        if (is_open && view.text(i) == name) return true;
    }
    return false;
}

// What the function in which it stands was given.
std::string parameters_here(const SourceView& view, int line) {
    const std::string function = view.function_at(line);
    std::vector<std::string> names;
    for (const auto& [name, declared] : view.declared())
        if (declared.is_parameter && declared.function == function && view.is_same_part(declared.line, line))
            names.push_back(name);
    if (function.empty() || names.empty() || names.size() > 6) return {};
    return "the parameters of `" + function + "` are " + listed(names);
}

}  // namespace

std::string near_cuda_word(const std::string& name) {
    for (const std::string& word : cuda_words)
        if (bare(word) == bare(name)) return word;
    const auto near = nearest_name(name, cuda_words);
    return near ? *near : "";
}

std::string header_of_name(const std::string& name) {
    if (name == "assert") return "cassert";
    if (name == "cooperative_groups") return "cooperative_groups.h";
    if (name.starts_with("FLT_") || name.starts_with("DBL_")) return "cfloat";
    if (name.starts_with("INT_") || name.starts_with("UINT_")) return "climits";
    if (name == "half" || name == "__half" || name == "half2" || name == "__half2") return "cuda_fp16.h";
    for (const char* type : {"uint8_t", "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t", "int32_t", "int64_t",
                             "uintptr_t", "intptr_t"})
        if (name == type) return "cstdint";
    return {};
}

std::string about_unknown_name(const SourceView& view, const std::string& name, int line, int column) {
    const std::size_t token = view.token_at(line, column);
    const bool is_called = view.text(token) == name && view.text(token + 1) == "(";
    const bool is_launched = view.text(token) == name && view.text(token + 1) == "<<<";
    if (const int loop = loop_cut_off(view, name, line); loop != 0)
        return "\nthe ; behind the for (...) of line " + std::to_string(loop) + " is all that the loop repeats, and `" +
               name + "` ends there: take it out";
    if (name.starts_with("__") && std::count(cuda_words.begin(), cuda_words.end(), name + "_sync") != 0)
        return "\nnow `" + name + "_sync`: its first argument is the mask of the lanes that take part";
    if (const auto header = header_of_name(name); !header.empty())
        return "\nwrite #include <" + header + "> at the top";
    if (const std::string there = elsewhere(view, name, line); !there.empty()) return "\n" + there;
    if (const auto kernels = view.kernels(); is_launched && kernels.size() == 1 && kernels.front() != name)
        return "; is it `" + kernels.front() + "`, the kernel of this file?";
    if (token > 1 && view.text(token) == name && view.text(token - 1) == "<" && view.text(token - 2) == "template")
        return "\nwrite template <typename " + name + "> for a type";
    for (std::size_t i = 0; i + 1 < view.tokens().size(); ++i)
        if ((view.text(i) == "typename" || view.text(i) == "class") && view.text(i + 1) == name)
            return "\nelsewhere `" + name + "` is a template's parameter: this function needs template <typename " +
                   name + "> in front, too";
    for (const ForeignWord& foreign : foreign_words)
        if (foreign.word == name) return "\n" + std::string(foreign.meant);
    if (const std::string near = near_name(view, name); !near.empty()) return "; is it `" + near + "`?";
    if (const std::string unused = unused_names(view, line); !unused.empty())
        return "\n" + unused + " declared above and not used: does `" + name + "` stand for " +
               (unused.ends_with("is") ? "it?" : "one of them?");
    if (view.text(token) == name && view.text(token + 1) == "=" && view.text(token + 2) != "=")
        return "\nwrite its type in front where it is stored to first, as in int " + name + " = ...";
    if (is_called && is_declared_for_launch(view, name, token))
        return "\nwrite the type in front of what is declared here: dim3 " + name + "(...)";
    if (is_called)
        return "\nno function or macro of this name is in the file or in CUDA: write it above, or leave the call out";
    const bool is_constant = std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::islower(c); });
    if (is_constant && name.size() > 2)
        return "\nno constant has this name: write constexpr int " + name + " = ...; above, or use one that is there";
    if (const std::string parameters = parameters_here(view, line); !parameters.empty())
        return "\n" + parameters + ": is it one of them? else declare it above this line";
    return "\ndeclare `" + name + "` above this line, or spell it as it is declared";
}

}  // namespace warpgrade
