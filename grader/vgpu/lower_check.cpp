// What lowering does not take: instructions whose operands do not fit, variables that are too large; and its words.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>

#include "ptx/syntax_error.hpp"
#include "vgpu/lowering.hpp"
#include "vgpu/operand_forms.hpp"

namespace warpgrade::vgpu {

using ptx::Instruction;
using ptx::Space;

namespace {

bool names_space(const Instruction& in) {
    static constexpr std::string_view spaces[] = {"global", "shared", "local", "const", "param"};
    return std::any_of(in.modifiers.begin(), in.modifiers.end(), [](std::string_view word) {
        return std::find(std::begin(spaces), std::end(spaces), word.substr(0, word.find(':'))) != std::end(spaces);
    });
}

// The widest register that lanes have in a frame is one of 64 bits.
bool is_too_wide(const ptx::Function& function, const ptx::Operand& operand) {
    const auto is_wide = [&](int index) {
        return index >= 0 && function.registers.at(static_cast<std::size_t>(index)).type == ptx::Type::b128;
    };
    return (operand.kind == ptx::Operand::Kind::reg && is_wide(operand.index)) ||
           std::any_of(operand.elements.begin(), operand.elements.end(),
                       [&](const ptx::Operand& element) { return is_too_wide(function, element); });
}

bool has_any(const ptx::Instruction& in, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return ptx::has_word(in, word); });
}

bool is_number_outside(const ptx::Instruction& in, std::size_t operand, std::uint64_t least, std::uint64_t most) {
    if (operand >= in.operands.size() || in.operands[operand].kind != ptx::Operand::Kind::integer) return false;
    return in.operands[operand].bits < least || in.operands[operand].bits > most;
}

// What no version of PTX has, though each word and each operand by itself is PTX; empty: nothing is known against it.
std::string combination_problem(const ptx::Instruction& in) {
    constexpr std::uint64_t most_arrivals = (1u << 20) - 1;
    const std::string_view op = in.opcode;
    if (const std::string problem = spelling_problem(in); !problem.empty()) return problem;
    const bool is_access = op == "ld" || op == "ldu" || op == "st";
    if (is_access && has_any(in, {"pred", "f16", "f16x2", "bf16", "bf16x2"}))
        return "what is loaded and stored has a type of bits, integers, f32 or f64";
    if (op == "st" && has_any(in, {"const"})) return "constant memory is only read";
    const bool is_atomic = op == "atom" || op == "red";
    if (is_atomic && has_any(in, {"local", "param", "const"}))
        return "atomic operations are for global and shared memory";
    const bool is_local = ptx::has_word(in, "local");
    if (!is_local && std::any_of(in.operands.begin(), in.operands.end(), [](const ptx::Operand& operand) {
            return operand.kind == ptx::Operand::Kind::address && !operand.elements.empty() &&
                   operand.elements[0].kind == ptx::Operand::Kind::integer;
        }))
        return "only local memory has addresses that are numbers";
    if (op == "lop3" && in.operands.size() == 5 &&
        (in.operands[4].kind != ptx::Operand::Kind::integer || in.operands[4].bits > 255))
        return "the table of lop3 is a number from 0 to 255";
    if (op == "brx" && !in.operands.empty() && in.operands[0].kind == ptx::Operand::Kind::integer)
        return "brx.idx takes its index from a register";
    if (op == "mbarrier" && has_any(in, {"init"}) && is_number_outside(in, 1, 1, most_arrivals))
        return fmt::format("an mbarrier counts from 1 to {} arrivals", most_arrivals);
    if (op == "cp" && has_any(in, {"wait_group"}) &&
        is_number_outside(in, 0, 0, std::numeric_limits<std::int32_t>::max()))
        return "the groups that may be on their way are 0 or more";
    return {};
}

}  // namespace

// Once for each instruction, before anything else looks at it.
void FunctionLowering::check(const Instruction& in) const {
    if (in.guard >= 0 && function_.registers.at(static_cast<std::size_t>(in.guard)).type != ptx::Type::pred)
        malformed("behind `@` has to stand a predicate register");
    // Of what the compiler writes, an unknown word is a hint that came with a newer version.
    if (in.in_inline_asm) {
        if (const std::string problem = unknown_word(in); !problem.empty()) malformed(problem);
        if (const std::string problem = combination_problem(in); !problem.empty()) malformed(problem);
    }
    std::string problem;
    if (in.opcode == "mov") {
        problem = move_problem(function_, in);
    } else {
        const OpEntry* row = find_row(in);
        const bool is_row = row != nullptr && row->signature.find('=') != std::string::npos;
        const auto own = form_of(in);
        if (!own && !is_row) not_supported();
        std::string form = own ? std::string(*own) : row->signature;
        if (in.opcode == "setp") form.insert(1, "_|p");
        problem = operand_problem(function_, in, form);
    }
    if (!problem.empty()) malformed(problem);
    if (std::any_of(in.operands.begin(), in.operands.end(),
                    [&](const ptx::Operand& operand) { return is_too_wide(function_, operand); }))
        not_supported("a register of 128 bits");
    if ((in.opcode == "cvta" || in.opcode == "isspacep") && !names_space(in))
        malformed("`" + shown(ptx::full_name(in)) + "` names no state space");
    for (const ptx::Operand& operand : in.operands)
        if (operand.kind == ptx::Operand::Kind::special && !is_special_register(operand.name))
            malformed("there is no register `" + shown(operand.name) + "`");
}

void FunctionLowering::not_supported(const std::string& what) const {
    throw Refused(Refused::Why::not_supported, what.empty() ? ptx::full_name(*current_) : what);
}
void FunctionLowering::malformed(const std::string& what) const { throw Refused(Refused::Why::malformed, what); }
void FunctionLowering::too_large(const std::string& what) const { throw Refused(Refused::Why::too_large, what); }
void FunctionLowering::too_aligned(const std::string& what) const { throw Refused(Refused::Why::too_aligned, what); }

// One file is compiled by itself. What a library declares, and what CUDA has without a name of C++, is not its own.
void FunctionLowering::check_defined(const ptx::Function& function) const {
    if (!function.is_declaration) return;
    static constexpr std::string_view of_libraries[] = {"_Zn",      "_Zd",       "_ZSt", "_ZNSt", "_ZNKSt",
                                                        "_ZN4cuda", "_ZNK4cuda", "cuda", "cu",    "nv"};
    static constexpr std::string_view of_cuda[] = {"malloc", "free", "vprintf", "printf", "memcpy", "memset", "abort"};
    const std::string_view name = function.name;
    const auto starts = [&](std::string_view start) { return name.starts_with(start); };
    const bool is_own = (starts("_Z") || !starts("_")) &&
                        std::none_of(std::begin(of_libraries), std::end(of_libraries), starts) &&
                        std::find(std::begin(of_cuda), std::end(of_cuda), name) == std::end(of_cuda);
    if (function.is_entry || is_own) throw Refused(Refused::Why::undefined, display_name(function.name));
}

std::uint32_t FunctionLowering::take(std::uint32_t& top, std::uint64_t bytes, std::uint32_t align,
                                     std::uint64_t limit) const {
    const std::uint64_t start = (std::uint64_t{top} + align - 1) / align * align;
    if (!inside(start, bytes, 0, limit))
        too_large(
            fmt::format("`{}` has more registers and constants than the virtual GPU can keep", code_.display_name));
    top = static_cast<std::uint32_t>(start + bytes);
    return static_cast<std::uint32_t>(start);
}

Diagnostic FunctionLowering::explain(const Refused& refusal) const {
    const int location = current_ != nullptr ? current_->location : variable_location_;
    const ptx::Location at = place_at(location).innermost;
    SourceMark mark{program_.source_file, at.line, at.column, 1, ""};
    if (refusal.why == Refused::Why::malformed) {
        return ptx::unreadable(ptx::writer_of(*current_), refusal.what(), std::move(mark),
                               fmt::format("PTX line {}: {}", current_->ptx_line, shown(ptx::full_name(*current_))));
    }
    Diagnostic d;
    if (refusal.why == Refused::Why::too_large || refusal.why == Refused::Why::too_aligned) {
        d.blame = Blame::learner;
        d.code = "too_large";
        d.title = refusal.what();
        d.marks.push_back(std::move(mark));  // the whole file, where no line is known
        d.help = refusal.why == Refused::Why::too_aligned
                     ? smaller_alignment
                     : "make it smaller: large data belongs in memory that kernels get a pointer to";
        return d;
    }
    if (refusal.why == Refused::Why::undefined) {
        d.blame = Blame::learner;
        d.code = "undefined_function";
        d.title = fmt::format("`{}` is declared, and defined nowhere", shown(refusal.what()));
        d.marks.push_back(std::move(mark));
        d.facts.push_back("one file is compiled, by itself");
        d.help = "write its body into this file, or leave it out";
        return d;
    }
    d.blame = Blame::host;  // nobody's points
    d.code = "unsupported";
    d.title = fmt::format("the virtual GPU does not support `{}`", shown(refusal.what()));
    if (at.line > 0) d.marks.push_back({program_.source_file, at.line, 0, 1, ""});
    d.facts.push_back(fmt::format("in `{}`", code_.display_name));
    if (current_ != nullptr) d.facts.back() += fmt::format(", line {} of the PTX", current_->ptx_line);
    d.facts.push_back("this is a gap of the kit and costs no points; a GPU does not help, as it runs here first");
    d.help = "write this part another way, or ask your instructor";
    return d;
}

// Nothing is known to lead here. If inline assembly does, its author can mend it.
Diagnostic FunctionLowering::explain(const std::exception& failure) const {
    if (current_ == nullptr) return explain(Refused(Refused::Why::not_supported, failure.what()));
    return explain(Refused(Refused::Why::malformed, fmt::format("`{}` makes no sense here ({})",
                                                                shown(ptx::full_name(*current_)), failure.what())));
}

}  // namespace warpgrade::vgpu
