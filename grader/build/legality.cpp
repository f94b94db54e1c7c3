#include "build/legality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "build/device_code.hpp"
#include "build/launcher.hpp"
#include "build/named_by_headers.hpp"
#include "build/shared_arrays.hpp"
#include "ptx/module.hpp"
#include "source/questions.hpp"
#include "vgpu/code.hpp"

namespace warpgrade {

namespace {

using source::Function;
using source::Side;

class Judge {
public:
    Judge(const source::Facts& facts, std::string_view ptx, const std::string& path, bool is_program)
        : path_(path), is_program_(is_program), tree_(*facts.tree), facts_(facts) {
        if (auto module = ptx::parse(ptx)) module_ = std::move(module).value();
    }

    std::vector<CompilerMessage> run(const std::vector<HostUse>& uses) {
        for (const ptx::Function& function : module_.functions)
            if (!function.is_declaration && !function.body.empty()) look_at(function);
        for (const SharedTotal& total : too_large_shared_arrays(module_)) look_at(total);
        for (const source::Launch& launch : facts_.launches) look_at(launch);
        for (const Function& function : facts_.functions) look_at_words(function);
        for (const source::Call& call : facts_.calls) look_at(call);
        for (const source::Access& access : facts_.accesses) look_at(access);
        for (const source::SharedArray& shared : facts_.shared_arrays) look_at(shared);
        look_at_names();
        for (const HostUse& use : uses) look_at(use);
        for (const MissingHeader& missing : missing_headers(facts_))
            fail(missing.line, missing.word, fmt::format("`{}` is not declared", missing.word),
                 fmt::format("write #include <{}> at the top: nvcc knows {} from there only", missing.header,
                             missing.word));
        std::vector<CompilerMessage> messages;
        for (auto& [line, message] : found_) messages.push_back(std::move(message));
        return messages;
    }

private:
    void fail(int line, std::string_view word, const std::string& message, const std::string& help) {
        const std::vector<source::CodeToken>& code = tree_.tokens.code;
        const auto token = std::ranges::find_if(code, [&](const source::CodeToken& candidate) {
            return candidate.at.line == line && candidate.text == word;
        });
        fail(line, token == code.end() ? 0 : token->at.column, message, help);
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
    const Function* text_of(const ptx::Function& function) const {
        int line = 0;
        for (const ptx::Location& location : function.locations)
            if (location.inlined_at < 0) {
                if (!is_in_submission(location)) return nullptr;
                line = location.line;
                break;
            }
        const std::string name = plain_name(function);
        const Function* found = nullptr;
        for (const Function& text : facts_.functions) {
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
                if (const Function* callee = function_at(facts_, lines[i]))
                    call(function_at(facts_, lines[i + 1]), *callee, lines[i + 1]);
            const Function* caller = function_at(facts_, lines.front());
            if (instruction.opcode == "call")
                for (const ptx::Operand& operand : instruction.operands)
                    if (operand.kind == ptx::Operand::Kind::symbol)
                        if (const ptx::Function* callee = module_.find(operand.name))
                            if (const Function* text = text_of(*callee)) call(caller, *text, lines.front());
            if (!caller) continue;
            host_variables(*caller, instruction.operands, lines.front());
            for (const ptx::Operand& operand : instruction.operands) host_lambda(*caller, operand.name, lines.front());
        }
    }

    // A kernel instantiated for a lambda of the launcher's.
    void host_lambda(const Function& caller, const std::string& symbol, int line) {
        if (caller.side != Side::host || symbol.empty()) return;
        const ptx::Function* kernel = module_.find(symbol);
        if (!kernel || !kernel->is_entry) return;
        const std::string name = vgpu::demangled(symbol);
        if (name.find("{lambda(") != name.npos && name.find("{lambda(") > name.find('<') && !is_program_)
            host_lambda(line);
    }
    void host_lambda(int line) {
        fail(line, "<<<", "this lambda runs on the host: a kernel cannot call it",
             "write a struct with `__device__ ... operator()(...) const` and pass that");
    }
    // Where the kernel in which it is called gets it.
    void host_lambda(const Function& kernel, int line) {
        const auto launch = std::ranges::find_if(facts_.launches, [&](const source::Launch& one) {
            return one.kernel == kernel.name && std::ranges::any_of(one.arguments, [&](source::NodeId argument) {
                       const source::Definition* named =
                           facts_.declaration_of(source::plain_name(tree_, argument), one.line);
                       const source::NodeId value = named != nullptr ? named->value : argument;
                       return value != source::no_node && tree_[value].kind == source::NodeKind::lambda;
                   });
        });
        host_lambda(launch == facts_.launches.end() ? line : launch->line);
    }

    void call(const Function* caller, const Function& callee, int line) {
        if (!caller || caller == &callee) return;
        if (callee.side == Side::kernel)
            return fail(line, callee.name,
                        fmt::format("`{}` is a kernel: it is not called but launched, and <<< >>> is missing here",
                                    callee.name),
                        fmt::format("{}<<<grid, block>>>(...)", callee.name));
        if (is_device_code(*caller) && callee.side == Side::host && !is_program_)  // its marks tell
            return host_call(*caller, std::string(callee.name), callee.is_constexpr, line);
        const bool is_split = caller->side == Side::both && !caller->has_directives;
        if (callee.side == Side::device && (caller->side == Side::host || is_split)) device_call(*caller, callee, line);
    }

    void device_call(const Function& caller, const Function& callee, int line) {
        fail(line, callee.name,
             fmt::format("{} cannot call `{}`, which is __device__: that runs on the GPU only", who(caller),
                         callee.name),
             fmt::format("write __host__ __device__ before `{}`, line {}, or neither if no kernel calls it",
                         callee.name, callee.line));
    }

    void host_call(const Function& caller, const std::string& callee, bool is_constexpr, int line) {
        unmarked_.insert(callee);
        fail(line, callee,
             fmt::format("{} cannot call `{}`, which is a host function: __device__ is missing before it", who(caller),
                         callee),
             is_constexpr ? "write __host__ __device__ before constexpr: nvcc wants it there too"
                          : "write __device__ before its definition; __host__ __device__ if host code calls it too");
    }

    // ---- variables

    void host_variables(const Function& caller, const std::vector<ptx::Operand>& operands, int line) {
        if (!is_device_code(caller)) return;
        for (const ptx::Operand& operand : operands) {
            host_variables(caller, operand.elements, line);
            if (operand.kind != ptx::Operand::Kind::symbol || operand.name.empty()) continue;
            const std::string name = take_apart(vgpu::demangled(operand.name)).name;
            for (const source::Variable& variable : facts_.variables)
                if (variable.name == name && !variable.is_on_device && (variable.is_array || !variable.is_constant))
                    host_variable(caller, variable, line);
        }
    }

    void host_variable(const Function& caller, const source::Variable& variable, int line) {
        fail(line, variable.name,
             fmt::format("{} cannot use `{}`, a variable of the host: it is not in GPU memory", who(caller),
                         variable.name),
             variable.is_constant ? fmt::format("write __device__ or __constant__ before `{}`", variable.name)
                                  : fmt::format("pass `{}` to the kernel as a parameter", variable.name));
    }

    void look_at(const SharedTotal& total) {
        const std::string full = vgpu::demangled(total.largest);
        const std::string name = full.substr(full.rfind(':') == std::string::npos ? 0 : full.rfind(':') + 1);
        for (const source::SharedArray& shared : facts_.shared_arrays) {
            if (shared.name != name) continue;
            return fail(shared.line, name,
                        fmt::format("{} bytes of shared memory for `{}`: arrays of fixed size may have {} in all",
                                    total.bytes, plain_name(*total.kernel), most_shared_bytes),
                        "make an array smaller; a larger array should be `extern __shared__`, with its bytes as the "
                        "third launch argument");
        }
    }

    // ---- what leaves no call in the PTX

    // The function around a fact; nullptr: none, or one that lacks a mark with which it may do all that it does.
    const Function* judged(const source::Around& around, source::NodeId node) const {
        if (around.function < 0 || (is_program_ && is_in_device_lambda(tree_, node))) return nullptr;
        const Function& function = facts_.functions[static_cast<std::size_t>(around.function)];
        return unmarked_.contains(function.name) ? nullptr : &function;
    }
    static bool is_device_code(const Function& function) {
        return function.side == Side::kernel || function.side == Side::device;
    }
    bool is_own(std::string_view name) const { return facts_.function_named(name) != nullptr; }

    // __device__ __global__ void k(...): a kernel is neither of the one side nor of the other.
    void look_at_words(const Function& function) {
        if (function.side != Side::kernel) return;
        std::string_view other;
        for (source::TokenId i = tree_[function.node].first; i < tree_[function.body].first; ++i)
            if (const std::string_view word = tree_.tokens.code[i].text; word == "__device__" || word == "__host__")
                other = word;
        if (other.empty()) return;
        fail(function.line, function.name,
             fmt::format("`{}` is marked __global__ and {}: a kernel has no other mark", function.name, other),
             fmt::format("leave {} out", other));
    }

    void look_at(const source::Launch& launch) {
        if (const Function* around = judged(launch.around, launch.node); around && is_device_code(*around))
            fail(launch.line, "<<<", fmt::format("{} launches a kernel: only the host can", who(*around)),
                 "launch from the launcher; in a kernel, call a __device__ function");
        const Function* known = nullptr;
        for (const Function& function : facts_.functions) {
            if (function.name != launch.kernel) continue;
            if (function.side == Side::kernel) return;
            known = &function;
        }
        if (known == nullptr) return;
        unmarked_.emplace(known->name);
        fail(launch.line, launch.kernel,
             fmt::format("`{}` is not a kernel, so <<< >>> cannot launch it", launch.kernel),
             fmt::format("write __global__ before its definition in line {}", known->line));
    }

    void look_at(const source::Call& call) {
        const Function* function = judged(call.around, call.node);
        if (!function || call.is_member) return;
        const Function* callee = only_meaning(call);
        if (callee && callee->side == Side::kernel) return this->call(function, *callee, call.line);
        if (callee && callee->side == Side::device && function->side == Side::host)
            return device_call(*function, *callee, call.line);
        if (is_device_code(*function)) {
            if (is_host_runtime(call.name) && !is_own(call.name))
                return fail(call.line, call.name,
                            fmt::format("{} cannot call {}, which is for the host", who(*function), call.name),
                            "only host code calls the CUDA runtime");
            // The compiler works out constant expressions, and so leaves no trace of where they come from.
            bool is_host = false;
            for (const Function& known : facts_.functions) {
                if (known.name != call.name || known.is_member) continue;
                if (known.side != Side::host || !known.is_constexpr) return;
                is_host = true;
            }
            if (is_host) host_call(*function, std::string(call.name), true, call.line);
        } else if (is_device_only(call.name) && !is_own(call.name) &&
                   !(function->side == Side::both && function->has_directives)) {
            fail(call.line, call.name,
                 fmt::format("{} cannot call `{}`, which runs on the GPU only", who(*function), call.name),
                 "call it in a kernel or in a __device__ function");
        }
    }

    // What the call can only mean, where all of that name are of one side: constants leave no call in the PTX.
    const Function* only_meaning(const source::Call& call) const {
        const Function* found = nullptr;
        if (facts_.declaration_of(call.name, call.line)) return nullptr;
        for (const auto* functions : {&facts_.prototypes, &facts_.functions})
            for (const Function& function : *functions) {
                if (function.name != call.name || function.is_member) continue;
                if (found && found->side != function.side) return nullptr;
                found = &function;
            }
        return found;
    }

    void look_at(const source::Access& access) {
        const Function* function = judged(access.around, access.node);
        if (!function || !is_device_code(*function) || access.indices.empty()) return;
        const source::Definition* meant = facts_.declaration_of(access.array, access.line);
        for (const source::Variable& variable : facts_.variables)
            if (variable.name == access.array && variable.is_array && !variable.is_on_device &&
                (!meant || meant->around.function < 0))
                host_variable(*function, variable, access.line);
    }

    void look_at(const source::SharedArray& shared) {
        const Function* function = judged(shared.around, shared.node);
        if (!function || function->side != Side::host || shared.is_dynamic) return;
        fail(shared.line, "__shared__", fmt::format("{} has no shared memory: that is a block's", who(*function)),
             "declare it in the kernel");
    }

    // threadIdx in what launches: of the host without a doubt; elsewhere a __device__ or __global__ may be what is
    // missing.
    void look_at_names() {
        std::set<int> launching;
        for (const source::Launch& launch : facts_.launches) launching.insert(launch.around.function);
        for (source::NodeId node = 0; node < tree_.nodes.size(); ++node) {
            const std::string_view word = tree_[node].word;
            if (tree_[node].kind != source::NodeKind::name || !is_of_threads(word)) continue;
            const source::Around& around = facts_.around_node[node];
            const Function* function = judged(around, node);
            const int line = source::line_of(tree_, node);
            const bool is_sure = launching.contains(around.function) || (function && function->name == "main");
            if (!function || function->side != Side::host || !is_sure) continue;
            if (facts_.declaration_of(word, line)) continue;  // `dim3 blockDim(16, 16);`
            fail(line, word,
                 fmt::format("`{}` means nothing in `{}`, which runs on the host: no kernel is running there", word,
                             function->name),
                 "only kernels, and what they call, have a place among threads: take it out of here");
        }
    }

    // Of a program's own functions and variables, as compile/sides marks them.
    bool look_at_own(const Function& caller, const HostUse& use) {
        const std::string name =
            use.name.substr(use.name.rfind(':') == std::string::npos ? 0 : use.name.rfind(':') + 1);
        if (name == "lambda") {
            host_lambda(caller, use.line);
            return true;
        }
        if (use.name.starts_with("std::")) return false;
        for (const source::Variable& variable : facts_.variables)
            if (variable.name == name && !variable.is_on_device) {
                host_variable(caller, variable, use.line);
                return true;
            }
        if (!is_own(name.starts_with("operator") ? "operator" : name)) return false;
        host_call(caller, name, false, use.line);
        return true;
    }

    // Where a constant is worked out in device code, too: nvcc draws no line there.
    void look_at(const HostUse& use) {
        const Function* function = function_at(facts_, use.line);
        if (!function || !is_device_code(*function) || look_at_own(*function, use)) return;
        const std::size_t colons = use.name.rfind("::");
        const std::string last = use.name.substr(colons == std::string::npos ? 0 : colons + 2);
        const std::string type = use.name.substr(0, colons == std::string::npos ? 0 : colons);
        const bool is_constructor = type.ends_with("::" + last);
        const bool is_stream = use.name == "std::cout" || use.name == "std::cerr" || use.name == "std::operator<<";
        const bool prints = is_stream || use.name == "puts" || use.name == "putchar" || use.name == "fprintf";
        const std::string message =
            is_stream ? fmt::format("{} cannot print with std::cout, which is the host's", who(*function))
                      : fmt::format("{} cannot call {}, which is a host function", who(*function),
                                    is_constructor ? "the constructor of " + type : use.name);
        const std::string help =
            use.name == "std::min" || use.name == "std::max" ? fmt::format("CUDA's own {}(a, b) needs no std::", last)
            : type == "std::numeric_limits"                  ? "use a constant, such as FLT_MAX or INFINITY"
            : prints                                         ? "a kernel prints with printf"
            : type == "std" || type.empty()
                ? "write what it does: the standard library runs on the host"
                : "a struct or an array of your own serves in a kernel; the standard library runs on the host";
        if (use.column > 0) return fail(use.line, use.column, message, help);
        fail(use.line, last, message, help);
    }

    const std::string& path_;
    const bool is_program_;  // `run` takes lambdas with __device__, for which nvcc wants an option
    const source::Tree& tree_;
    const source::Facts& facts_;
    ptx::Module module_;
    std::map<int, CompilerMessage> found_;
    std::set<std::string, std::less<>> unmarked_;  // functions without the __global__ or __device__ they are used with
};

}  // namespace

std::vector<CompilerMessage> illegal_places(const source::Facts& facts, std::string_view ptx, const std::string& path,
                                            const std::vector<HostUse>& uses, bool is_program) {
    return Judge(facts, ptx, path, is_program).run(uses);
}

}  // namespace warpgrade
