#include "build/legality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "build/launcher.hpp"
#include "course/source_outline.hpp"
#include "ptx/module.hpp"
#include "vgpu/code.hpp"

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
bool is_of_threads(std::string_view word) {
    return std::find(variables_of_threads.begin(), variables_of_threads.end(), word) != variables_of_threads.end();
}

// CUDA's functions with `__` in front run on the device alone, but for conversions of 16-bit numbers.
bool is_device_only(std::string_view word) {
    if (std::find(device_only_words.begin(), device_only_words.end(), word) != device_only_words.end()) return true;
    if (!word.starts_with("__") || word.ends_with("__")) return false;
    for (const std::string_view not_a_function :
         {"__builtin_",   "__restrict", "__align",        "__attribute",   "__declspec",      "__half",
          "__float2half", "__bfloat",   "__float2bfloat", "__double2half", "__double2bfloat", "__floats2",
          "__low",        "__high",     "__nv_",          "__asm",         "__typeof",        "__alignof",
          "__func",       "__has_",     "__pipeline",     "__FUNCTION",    "__is_",           "__cudaCDP"})
        if (word.starts_with(not_a_function)) return false;
    return word.size() > 2 && word[2] >= 'a' && word[2] <= 'z';
}

// The CUDA runtime is the host's; what it has for kernels is in a library that only separate compilation links.
bool is_host_runtime(std::string_view name) {
    // Kernels alone have these two, and they need no library.
    if (name == "cudaGridDependencySynchronize" || name == "cudaTriggerProgrammaticLaunchCompletion") return false;
    return name.size() > 4 && name.starts_with("cuda") && name[4] >= 'A' && name[4] <= 'Z' && !name.ends_with("_t");
}

class Judge {
public:
    Judge(const std::string& source, std::string_view ptx, const std::string& path)
        : path_(path), outline_(outline_of(source)) {
        if (auto module = ptx::parse(ptx)) module_ = std::move(module).value();
    }

    std::vector<CompilerMessage> run(const std::vector<HostUse>& uses) {
        for (const ptx::Function& function : module_.functions)
            if (!function.is_declaration && !function.body.empty()) look_at(function);
        for (const ptx::Function& function : module_.functions)
            if (function.is_entry) look_at_shared_arrays(function);
        for (std::size_t i = 0; i < outline_.tokens.size(); ++i)
            if (text(i) == "<<<") look_at_launch(i);
        for (const FunctionText& function : outline_.functions) look_at(function);
        for (const HostUse& use : uses) look_at(use);
        look_for_headers();
        std::vector<CompilerMessage> messages;
        for (auto& [line, message] : found_) messages.push_back(std::move(message));
        return messages;
    }

private:
    void fail(int line, std::string_view word, const std::string& message, const std::string& help) {
        const auto token = std::find_if(outline_.tokens.begin(), outline_.tokens.end(), [&](const Token& candidate) {
            return candidate.line == line && candidate.text == word;
        });
        fail(line, token == outline_.tokens.end() ? 0 : token->column, message, help);
    }
    void fail(int line, int column, const std::string& message, const std::string& help) {
        if (found_.contains(line)) return;
        found_.emplace(line, CompilerMessage{Severity::error, path_, line, column, message + "\n" + help});
    }

    // ---- who calls whom, by the PTX

    bool is_in_submission(const ptx::Location& location) const {
        const auto file = module_.files.find(location.file);
        return location.line > 0 && file != module_.files.end() && file->second.ends_with(path_);
    }

    // The frames of an instruction that lie in the submission, the code itself first.
    std::vector<int> frames(const ptx::Function& function, int location) const {
        std::vector<int> lines;
        const auto known = static_cast<int>(function.locations.size());
        for (int index = location, hops = 0; index >= 0 && index < known && hops < known; ++hops) {
            const ptx::Location& frame = function.locations[static_cast<std::size_t>(index)];
            if (is_in_submission(frame)) lines.push_back(frame.line);
            index = frame.inlined_at;
        }
        return lines;
    }

    static std::string plain_name(const ptx::Function& function) {
        const Demangled parts = take_apart(vgpu::demangled(function.name));
        return parts.name.starts_with("operator") ? "operator" : parts.name;
    }

    // What the text says of a compiled function; nullptr where the compiler made it, or a macro, or a header has it.
    const FunctionText* text_of(const ptx::Function& function) const {
        int line = 0;
        for (const ptx::Location& location : function.locations)
            if (location.inlined_at < 0) {
                if (!is_in_submission(location)) return nullptr;
                line = location.line;
                break;
            }
        const std::string name = plain_name(function);
        const FunctionText* found = nullptr;
        for (const FunctionText& text : outline_.functions) {
            if (text.name != name || line < text.line || line > text.last_line) continue;
            if (found) return nullptr;
            found = &text;
        }
        return found;
    }

    void look_at(const ptx::Function& function) {
        for (const ptx::Instruction& instruction : function.body) {
            const std::vector<int> lines = frames(function, instruction.location);
            if (lines.empty()) continue;
            for (std::size_t i = 0; i + 1 < lines.size(); ++i)
                if (const FunctionText* callee = outline_.at(lines[i]))
                    call(outline_.at(lines[i + 1]), *callee, lines[i + 1]);
            const FunctionText* caller = outline_.at(lines.front());
            if (instruction.opcode == "call")
                for (const ptx::Operand& operand : instruction.operands)
                    if (operand.kind == ptx::Operand::Kind::symbol)
                        if (const ptx::Function* callee = module_.find(operand.name))
                            if (const FunctionText* text = text_of(*callee)) call(caller, *text, lines.front());
            if (!caller) continue;
            host_variables(*caller, instruction.operands, lines.front());
            for (const ptx::Operand& operand : instruction.operands) host_lambda(*caller, operand.name, lines.front());
        }
    }

    // A kernel instantiated for a lambda of the launcher's.
    void host_lambda(const FunctionText& caller, const std::string& symbol, int line) {
        if (caller.side != Side::host || symbol.empty()) return;
        const ptx::Function* kernel = module_.find(symbol);
        if (!kernel || !kernel->is_entry) return;
        const std::string name = vgpu::demangled(symbol);
        if (name.find("{lambda(") != name.npos && name.find("{lambda(") > name.find('<'))
            fail(line, "<<<", "a lambda of the launcher runs on the host: a kernel cannot be given it",
                 "write a struct with `__device__ ... operator()(...) const` and pass that");
    }

    static std::string who(const FunctionText& function) {
        switch (function.side) {
            case Side::kernel: return fmt::format("the kernel `{}`", function.name);
            case Side::device: return fmt::format("the __device__ function `{}`", function.name);
            case Side::both: return fmt::format("`{}`, which is __host__ __device__,", function.name);
            case Side::host: break;
        }
        return fmt::format("`{}`, which runs on the host,", function.name);
    }

    void call(const FunctionText* caller, const FunctionText& callee, int line) {
        if (!caller || caller == &callee) return;
        if (callee.side == Side::kernel)
            return fail(line, callee.name,
                        fmt::format("`{}` is a kernel: it is not called but launched, and <<< >>> is missing here",
                                    callee.name),
                        fmt::format("{}<<<grid, block>>>(...)", callee.name));
        const bool from_device = caller->side == Side::kernel || caller->side == Side::device;
        if (from_device && callee.side == Side::host) return host_call(*caller, callee.name, callee.is_constexpr, line);
        const bool is_split = caller->side == Side::both && !caller->has_conditions;
        if (callee.side == Side::device && (caller->side == Side::host || is_split))
            fail(line, callee.name,
                 fmt::format("{} cannot call `{}`, which is __device__: that runs on the GPU only", who(*caller),
                             callee.name),
                 fmt::format("write __host__ __device__ in front of `{}`, line {}, or neither if no kernel calls it",
                             callee.name, callee.line));
    }

    void host_call(const FunctionText& caller, const std::string& callee, bool is_constexpr, int line) {
        unmarked_.insert(callee);
        fail(line, callee,
             fmt::format("{} cannot call `{}`, which is a host function: __device__ is missing in front of it",
                         who(caller), callee),
             is_constexpr ? "write __host__ __device__ before constexpr: nvcc wants it there too"
                          : "write __device__ in front of its definition; __host__ __device__ if the launcher calls it "
                            "too");
    }

    // ---- variables

    void host_variables(const FunctionText& caller, const std::vector<ptx::Operand>& operands, int line) {
        if (caller.side != Side::kernel && caller.side != Side::device) return;
        for (const ptx::Operand& operand : operands) {
            host_variables(caller, operand.elements, line);
            if (operand.kind != ptx::Operand::Kind::symbol || operand.name.empty()) continue;
            const std::string name = take_apart(vgpu::demangled(operand.name)).name;
            for (const VariableText& variable : outline_.variables)
                if (variable.name == name && !variable.is_on_device && (variable.is_array || !variable.is_constant))
                    host_variable(caller, variable, line);
        }
    }

    void host_variable(const FunctionText& caller, const VariableText& variable, int line) {
        fail(line, variable.name,
             fmt::format("{} cannot use `{}`, a variable of the host: it is not in GPU memory", who(caller),
                         variable.name),
             variable.is_constant ? fmt::format("write __device__ or __constant__ in front of `{}`", variable.name)
                                  : fmt::format("pass `{}` to the kernel as a parameter", variable.name));
    }

    // ---- arrays in shared memory, which the assembler behind nvcc adds up

    void add_names(const std::vector<ptx::Operand>& operands, std::set<std::string>& names) const {
        for (const ptx::Operand& operand : operands) {
            if (!operand.name.empty()) names.insert(operand.name);
            add_names(operand.elements, names);
        }
    }
    // What a function and those that it calls speak of.
    void add_names(const ptx::Function& function, std::set<std::string>& names) const {
        std::set<std::string> own;
        for (const ptx::Instruction& instruction : function.body) add_names(instruction.operands, own);
        for (const std::string& name : own) {
            if (!names.insert(name).second) continue;
            if (const ptx::Function* callee = module_.find(name)) add_names(*callee, names);
        }
    }

    void look_at_shared_arrays(const ptx::Function& kernel) {
        constexpr std::uint64_t most_bytes = 48 * 1024;
        std::set<std::string> names;
        add_names(kernel, names);
        const ptx::Variable* largest = nullptr;
        std::uint64_t bytes = 0;
        std::vector<const std::vector<ptx::Variable>*> places{&module_.variables, &kernel.variables};
        for (const ptx::Function& function : module_.functions)
            if (!function.is_entry && names.contains(function.name)) places.push_back(&function.variables);
        for (const std::vector<ptx::Variable>* variables : places)
            for (const ptx::Variable& variable : *variables) {
                if (variable.space != ptx::Space::shared || !names.contains(variable.name)) continue;
                bytes += variable.bytes;
                if (!largest || variable.bytes > largest->bytes) largest = &variable;
            }
        if (bytes <= most_bytes) return;
        const std::string full = vgpu::demangled(largest->name);
        const std::string name = full.substr(full.rfind(':') == std::string::npos ? 0 : full.rfind(':') + 1);
        for (std::size_t i = 0; i < outline_.tokens.size(); ++i) {
            if (text(i) != name || text(i + 1) != "[") continue;
            return fail(token(i).line, name,
                        fmt::format("{} bytes of shared memory for `{}`: arrays with fixed extents may have {} in all",
                                    bytes, plain_name(kernel), most_bytes),
                        "make an array smaller; what has to be larger is `extern __shared__`, and the launch asks for "
                        "its bytes");
        }
    }

    // ---- what leaves no call in the PTX

    const Token& token(std::size_t i) const { return outline_.tokens[i]; }
    std::string_view text(std::size_t i) const {
        return i < outline_.tokens.size() ? std::string_view(token(i).text) : std::string_view();
    }

    // __device__ __global__ void k(...): a kernel is neither of the one side nor of the other.
    void look_at_words(const FunctionText& function) {
        if (function.body_begin < 2) return;
        std::size_t i = function.body_begin - 1;
        while (i > 0 && text(i - 1) != ";" && text(i - 1) != "}" && text(i - 1) != "{") --i;
        std::string_view other;
        for (; i < function.body_begin; ++i)
            if (text(i) == "__device__" || text(i) == "__host__") other = text(i);
        if (other.empty() || function.side != Side::kernel) return;
        fail(function.line, function.name,
             fmt::format("`{}` is marked __global__ and {}: a kernel has no other mark", function.name, other),
             fmt::format("leave {} out", other));
    }

    void look_at(const FunctionText& function) {
        look_at_words(function);
        if (unmarked_.contains(function.name)) return;  // with its mark it may do all of this
        const bool has_launch = launches(function);
        for (std::size_t i = function.body_begin; i < function.body_end; ++i) {
            const std::string_view word = text(i);
            const bool runs_on_device = function.side == Side::kernel || function.side == Side::device;
            if (runs_on_device) {
                if (word == "<<<")
                    fail(token(i).line, "<<<", fmt::format("{} launches a kernel: only the host can", who(function)),
                         "launch from the launcher; in a kernel, call a __device__ function");
                if (token(i).is_word) constant_in_device_code(function, i);
            } else if (word == "__shared__" && function.side == Side::host && !stands_behind_extern(function, i)) {
                fail(token(i).line, "__shared__",
                     fmt::format("{} has no shared memory: that is a block's", who(function)),
                     "declare it in the kernel");
            } else if (is_of_threads(word) && has_launch && !is_own_variable(function, word)) {
                fail(token(i).line, word,
                     fmt::format("`{}` means nothing in `{}`, which runs on the host: no kernel is running there", word,
                                 function.name),
                     "only kernels, and what they call, have a place among threads: take it out of here");
            } else if (token(i).is_word && is_device_only(word) && text(i + 1) == "(" && !is_member(i) &&
                       !is_own(word) && !(function.side == Side::both && function.has_conditions)) {
                fail(token(i).line, word,
                     fmt::format("{} cannot call `{}`, which runs on the GPU only", who(function), word),
                     "call it in a kernel or in a __device__ function");
            }
        }
    }

    // name<<< or name<16, 4><<<: all functions of that name are none that can be launched.
    void look_at_launch(std::size_t i) {
        std::size_t name = i - 1;
        if (text(name) == ">")
            while (name > 0 && text(name) != "<" && text(name) != ";") --name;
        if (text(name) == "<") --name;
        const FunctionText* known = nullptr;
        for (const FunctionText& function : outline_.functions) {
            if (function.name != text(name)) continue;
            if (function.side == Side::kernel) return;
            known = &function;
        }
        if (known == nullptr) return;
        unmarked_.insert(known->name);
        fail(token(i).line, text(name), fmt::format("`{}` is no kernel, so that <<< >>> cannot launch it", text(name)),
             fmt::format("write __global__ in front of its definition in line {}", known->line));
    }

    bool stands_behind_extern(const FunctionText& function, std::size_t i) const {
        while (i-- > function.body_begin && token(i).is_word)
            if (text(i) == "extern") return true;
        return false;
    }
    bool is_member(std::size_t i) const {
        return i > 0 && (text(i - 1) == "." || text(i - 1) == "->" || text(i - 1) == "::");
    }
    bool is_own(std::string_view name) const {
        return std::any_of(outline_.functions.begin(), outline_.functions.end(),
                           [&](const FunctionText& function) { return function.name == name; });
    }
    // `dim3 grid(2)`: a name behind a type is a new one.
    bool is_declared_here(std::size_t i) const {
        return i > 0 &&
               ((token(i - 1).is_word && text(i - 1) != "return" && text(i - 1) != "else") || text(i - 1) == "*" ||
                text(i - 1) == "&") &&
               !is_operand(i);
    }
    // `a * f(b)`: the star stands between two values.
    bool is_operand(std::size_t i) const {
        return i > 1 && (text(i - 1) == "*" || text(i - 1) == "&") &&
               (text(i - 2) == ")" || text(i - 2) == "]" || text(i - 2) == "=" || text(i - 2) == "(" ||
                (token(i - 2).is_word && !is_type_word(text(i - 2))));
    }
    static bool is_type_word(std::string_view word) {
        static constexpr std::array words{"int", "float", "double", "unsigned", "size_t", "char", "long", "auto", "T"};
        return std::find(words.begin(), words.end(), word) != words.end();
    }

    // The compiler works out constant expressions, and so leaves no trace of where they come from.
    void constant_in_device_code(const FunctionText& function, std::size_t i) {
        const std::string_view word = text(i);
        if (is_host_runtime(word) && text(i + 1) == "(" && !is_member(i) && !is_own(word))
            return fail(token(i).line, word,
                        fmt::format("{} cannot call {}, which is for the host", who(function), word),
                        "the launcher alone calls the CUDA runtime");
        if (is_member(i) || is_declared_here(i)) return;
        if (text(i + 1) == "(" || text(i + 1) == "<") {
            bool is_host = false;
            for (const FunctionText& known : outline_.functions) {
                if (known.name != word || known.is_member) continue;
                if (known.side != Side::host || !known.is_constexpr) return;
                is_host = true;
            }
            if (is_host) host_call(function, std::string(word), true, token(i).line);
        }
        if (text(i + 1) != "[") return;
        for (const VariableText& variable : outline_.variables)
            if (variable.name == word && variable.is_array && !variable.is_on_device && !is_local(function, word, i))
                host_variable(function, variable, token(i).line);
    }
    // Of the host without a doubt: elsewhere a __device__ or __global__ may be what is missing.
    bool launches(const FunctionText& function) const {
        if (function.side != Side::host) return false;
        for (std::size_t i = function.body_begin; i < function.body_end; ++i)
            if (text(i) == "<<<") return true;
        return false;
    }
    // `dim3 blockDim(16, 16);` in a launcher, or a parameter of that name: CUDA's own is used with its parts alone.
    bool is_own_variable(const FunctionText& function, std::string_view name) const {
        std::size_t first = function.body_begin;
        while (first > 0 && token(first - 1).line >= function.line) --first;
        for (std::size_t i = first; i < function.body_end; ++i) {
            if (text(i) != name) continue;
            const bool is_used = name == "warpSize" ? !is_declared_here(i) && text(i + 1) != "=" : text(i + 1) == ".";
            if (is_member(i) || !is_used) return true;
        }
        return false;
    }
    // A name that the function declares before, as a parameter or a variable of its own.
    bool is_local(const FunctionText& function, std::string_view name, std::size_t before) const {
        for (std::size_t i = before; i-- > 0 && token(i).line >= function.line;)
            if (text(i) == name && is_declared_here(i)) return true;
        return false;
    }

    // Where a constant is worked out in device code, too: nvcc draws no line there.
    void look_at(const HostUse& use) {
        const FunctionText* function = outline_.at(use.line);
        if (!function || (function->side != Side::kernel && function->side != Side::device)) return;
        const std::size_t colons = use.name.rfind("::");
        const std::string last = use.name.substr(colons == std::string::npos ? 0 : colons + 2);
        const std::string type = use.name.substr(0, use.name.size() - last.size() - 2);
        const bool is_constructor = type.ends_with("::" + last);
        const bool is_limit = type == "std::numeric_limits";
        fail(use.line, use.column,
             fmt::format("{} cannot call {}, which is a host function", who(*function),
                         is_constructor ? "the constructor of " + type : use.name),
             use.name == "std::min" || use.name == "std::max" ? fmt::format("CUDA's own {}(a, b) needs no std::", last)
             : is_limit                                       ? "use a constant, such as FLT_MAX or INFINITY"
             : type == "std"
                 ? "write what it does: the standard library runs on the host"
                 : "a struct or an array of your own serves in a kernel; the standard library runs on the host");
    }

    void look_for_headers() {
        for (const std::string& header : outline_.includes)
            if (header.starts_with("cooperative_groups") || header.starts_with("cuda/") || header == "iostream") return;
        for (const HeaderWord& known : header_words) {
            if (outline_.includes.contains(std::string(known.headers[0])) ||
                outline_.includes.contains(std::string(known.headers[1])) || is_own(known.word))
                continue;
            for (std::size_t i = 0; i < outline_.tokens.size(); ++i) {
                const bool is_called = text(i + 1) == "(" || known.headers[0] == "cfloat";
                if (text(i) == known.word && is_called && !is_member(i)) {
                    fail(token(i).line, known.word, fmt::format("`{}` is not declared", known.word),
                         fmt::format("write #include <{}> at the top: nvcc knows {} from there only", known.headers[0],
                                     known.word));
                    break;
                }
            }
        }
    }

    const std::string& path_;
    Outline outline_;
    ptx::Module module_;
    std::map<int, CompilerMessage> found_;
    std::set<std::string, std::less<>> unmarked_;  // functions without the __global__ or __device__ they are used with
};

}  // namespace

std::vector<CompilerMessage> illegal_places(const std::string& source, std::string_view ptx, const std::string& path,
                                            const std::vector<HostUse>& uses) {
    return Judge(source, ptx, path).run(uses);
}

}  // namespace warpgrade
