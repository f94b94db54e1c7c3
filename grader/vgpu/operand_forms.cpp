#include "vgpu/operand_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "ptx/cursor.hpp"

namespace warpgrade::vgpu {

using ptx::Instruction;
using ptx::Operand;
using ptx::Type;

namespace {

struct Row {
    std::string_view opcode;
    std::string_view words;  // with dots between: all of them are there
    std::string_view form;
};

// The first row that fits counts: the longer list of words stands first.
constexpr Row kRows[] = {
    {"ld", "L2::cache_hint", "V=addr,u64"},
    {"ld", "", "V=addr"},
    {"ldmatrix", "m8n8", "W=addr"},
    {"ldmatrix", "", "any"},
    {"stmatrix", "m8n8", "=addr,W"},
    {"stmatrix", "", "any"},
    {"movmatrix", "sync.trans", "b32=b32"},
    {"createpolicy", "range", "u64=addr,u32,u32"},
    {"createpolicy", "fractional", "u64=/u64=f32"},
    {"createpolicy", "cvt", "u64=any"},
    {"ldu", "", "V=addr"},
    {"st", "async.mmio", "=addr,V"},
    {"st", "async", "=addr,V,addr"},
    {"st", "L2::cache_hint", "=addr,V,u64"},
    {"st", "", "=addr,V"},
    {"atom", "cas", "T_=addr,T,T"},
    {"atom", "v2", "V_=addr,V"},
    {"atom", "v4", "V_=addr,V"},
    {"atom", "", "T_=addr,T"},
    {"red", "async", "=addr,T,addr"},
    {"red", "v2", "=addr,V"},
    {"red", "v4", "=addr,V"},
    {"red", "", "=addr,T"},
    {"cvta", "", "u64=u64"},
    {"isspacep", "", "p=wide"},
    {"shfl", "sync", "b32|p=b32,b32,b32,b32"},
    {"vote", "sync.ballot", "b32=p,b32"},
    {"vote", "sync", "p=p,b32"},
    {"match", "all", "b32|p=T,b32"},
    {"match", "any", "b32=T,b32"},
    {"redux", "sync", "T=T,b32"},
    {"add", "cc", "T=T,T"},
    {"addc", "", "T=T,T"},
    {"sub", "cc", "T=T,T"},
    {"subc", "", "T=T,T"},
    {"mad", "cc", "T=T,T,T"},
    {"madc", "", "T=T,T,T"},
    {"elect", "sync", "b32&p=b32"},
    {"bmsk", "", "b32=b32,b32"},
    {"szext", "", "T=T,u32"},
    {"bar", "warp", "=b32"},
    {"bar", "red.popc", "u32=u32,p/u32=u32,u32,p"},
    {"bar", "red", "p=u32,p/p=u32,u32,p"},
    {"bar", "arrive", "=u32,u32"},
    {"bar", "", "=u32/=u32,u32"},
    {"barrier", "cluster", "any"},
    {"barrier", "red.popc", "u32=u32,p/u32=u32,u32,p"},
    {"barrier", "red", "p=u32,p/p=u32,u32,p"},
    {"barrier", "arrive", "=u32,u32"},
    {"barrier", "", "=u32/=u32,u32"},
    {"bra", "", "=label"},
    {"brx", "idx", "=u32,table"},
    {"call", "", "any"},  // lower_terminators.cpp
    {"ret", "", "="},
    {"exit", "", "="},
    {"trap", "", "="},
    {"membar", "", "="},
    {"fence", "proxy", "=/=addr,imm"},
    {"fence", "", "="},
    {"nanosleep", "", "=u32"},
    {"prefetch", "", "=addr"},
    {"prefetchu", "", "=addr"},
    {"discard", "", "=addr,imm"},
    {"griddepcontrol", "", "="},
    {"brkpt", "", "="},
    {"pmevent", "", "=imm"},
    {"mbarrier", "init", "=addr,u32"},
    {"mbarrier", "inval", "=addr"},
    {"mbarrier", "test_wait.parity", "p=addr,u32"},
    {"mbarrier", "test_wait", "p=addr,u64"},
    {"mbarrier", "try_wait.parity", "p=addr,u32/p=addr,u32,u32"},
    {"mbarrier", "try_wait", "p=addr,u64/p=addr,u64,u32"},
    {"mbarrier", "arrive.expect_tx", "u64_=addr,u32"},
    {"mbarrier", "arrive_drop.expect_tx", "u64_=addr,u32"},
    {"mbarrier", "arrive_drop", "u64_=addr/u64_=addr,u32"},
    {"mbarrier", "arrive", "u64_=addr/u64_=addr,u32"},
    {"mbarrier", "expect_tx", "=addr,u32"},
    {"mbarrier", "complete_tx", "=addr,u32"},
    {"cp", "async.bulk.tensor", "any"},
    {"cp", "async.bulk.commit_group", "="},
    {"cp", "async.bulk.wait_group", "=imm"},
    {"cp", "async.bulk.mbarrier::complete_tx::bytes", "=addr,addr,u32,addr/=addr,addr,u32,addr,any"},
    {"cp", "async.bulk.prefetch", "=addr,u32/=addr,u32,any"},
    {"cp", "async.bulk", "=addr,addr,u32/=addr,addr,u32,any"},
    {"cp", "async.mbarrier", "=addr"},
    {"cp", "async.commit_group", "="},
    {"cp", "async.wait_group", "=imm"},
    {"cp", "async.wait_all", "="},
    {"cp", "async.L2::cache_hint", "=addr,addr,imm,u64/=addr,addr,imm,any,u64"},
    {"cp", "async", "=addr,addr,imm/=addr,addr,imm,any"},
};

bool has_words(const Instruction& in, std::string_view words) {
    for (const std::string_view word : split(words, '.'))
        if (!ptx::has_word(in, word)) return false;
    return true;
}

// "V=addr" -> its results and sources, in the order of the operands.
struct Shape {
    std::vector<std::string_view> items;
    std::size_t results = 0;
};
Shape shape_of(std::string_view form) {
    const std::size_t equals = form.find('=');
    Shape shape;
    shape.items = split(form.substr(0, equals), ',');
    shape.results = shape.items.size();
    for (const std::string_view item : split(form.substr(equals + 1), ',')) shape.items.push_back(item);
    return shape;
}

bool is_float(Type type) {
    return type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2 ||
           type == Type::f32 || type == Type::f64;
}
bool is_untyped(Type type) {
    return type == Type::b8 || type == Type::b16 || type == Type::b32 || type == Type::b64 || type == Type::b128;
}

// A literal that PTX lets stand for a value of the type: no bits of the one are taken for the other.
bool is_constant_of(const Operand& operand, Type type) {
    if (operand.kind == Operand::Kind::integer) return !is_float(type);
    const bool is_single = operand.kind == Operand::Kind::f32;
    if (!is_single && operand.kind != Operand::Kind::f64) return false;
    if (is_untyped(type)) return ptx::size_bytes(type) == (is_single ? 4 : 8);
    return type == Type::f32 || type == Type::f64;
}

class OperandCheck {
public:
    OperandCheck(const ptx::Function& function, const Instruction& in) : function_(function), in_(in) {
        // The rule of the manual, "Operand Size Exceeding Instruction-Type Size".
        takes_wider_ = in.opcode == "ld" || in.opcode == "ldu" || in.opcode == "st" || in.opcode == "cvt";
        // Elsewhere PTX wants them in a register first.
        takes_special_ = in.opcode == "mov" || in.opcode == "cvt";
        takes_symbols_ = in.opcode == "mov" || in.opcode == "cvta" || in.opcode == "mapa";
        const auto has = [&](const char* word) { return ptx::has_word(in, word); };
        vector_ = has("v8") ? 8 : has("v4") || has("x4") ? 4 : has("v2") || has("x2") ? 2 : 1;
    }

    std::string operator()(std::string_view forms) const {
        std::vector<std::string> counts;
        for (const std::string_view form : split(forms, '/')) {
            if (form == "any") return {};
            const Shape shape = shape_of(form);
            if (shape.items.size() == in_.operands.size()) return fit(shape);
            counts.push_back(std::to_string(shape.items.size()));
        }
        return fmt::format("`{}` takes {} operand{}, not {}", name(), fmt::join(counts, " or "),
                           counts.size() == 1 && counts[0] == "1" ? "" : "s", in_.operands.size());
    }

    // What the item has to be, where it is not; empty where it is.
    std::string result(std::string_view item, const Operand& operand) const {
        const std::size_t bar = item.find_first_of("|&");
        const bool has_pair = bar != std::string_view::npos;
        std::string_view value = item.substr(0, bar);
        const bool may_be_left_out = value.ends_with('_');
        if (may_be_left_out) value.remove_suffix(1);
        if (has_pair && operand.kind == Operand::Kind::pair) {
            const Operand &first = operand.elements.at(0), &second = operand.elements.at(1);
            if (second.kind != Operand::Kind::sink && !is_register(second, Type::pred, false))
                return "a register and a predicate register";
            return first.kind == Operand::Kind::sink ? "" : result(value, first);
        }
        if (has_pair && item[bar] == '&') return "a register and, behind a `|`, a predicate register";
        if (operand.kind == Operand::Kind::sink && may_be_left_out) return {};
        if (value == "p") return is_register(operand, Type::pred, false) ? "" : "a predicate register";
        if (value == "V")
            return vector(operand, [&](const Operand& o) {
                return o.kind == Operand::Kind::sink && vector_ > 1 ? "" : result("T", o);
            });
        if (value == "W") return vector(operand, [&](const Operand& o) { return result("b32", o); });
        const Type type = type_of(value);
        return is_register(operand, type, takes_wider_) ? "" : "a register of " + bits(type);
    }

    std::string source(std::string_view item, const Operand& operand) const {
        using Kind = Operand::Kind;
        if (item == "any") return {};
        if (item == "p")
            return is_register(operand, Type::pred, false) || operand.kind == Kind::integer ||
                           operand.name == "%is_explicit_cluster"
                       ? ""
                       : "a predicate";
        if (item == "V") return vector(operand, [&](const Operand& o) { return source("T", o); });
        if (item == "W") return vector(operand, [&](const Operand& o) { return source("b32", o); });
        if (item == "addr") return is_address(operand) ? "" : "an address in brackets";
        if (item == "imm") return operand.kind == Kind::integer ? "" : "a whole number";
        if (item == "label") return operand.kind == Kind::label && operand.index >= 0 ? "" : "a label";
        if (item == "table") {
            const bool is_known = operand.kind == Kind::label && function_.branch_tables.contains(operand.name);
            return is_known ? "" : "the name of a .branchtargets";
        }
        if (item == "wide") return source("b32", operand).empty() ? "" : source("b64", operand);
        const Type type = type_of(item);
        const bool is_value = is_register(operand, type, takes_wider_) || is_constant_of(operand, type) ||
                              (operand.kind == Kind::special && takes_special_) ||
                              (operand.kind == Kind::symbol && takes_symbols_);
        return is_value && (!operand.negated || type == Type::pred) ? "" : "a value of " + bits(type);
    }

    bool is_register(const Operand& operand, Type type, bool may_be_wider) const {
        if (operand.kind != Operand::Kind::reg || operand.index < 0) return false;
        const Type own = function_.registers.at(static_cast<std::size_t>(operand.index)).type;
        if ((own == Type::pred) != (type == Type::pred)) return false;
        const bool is_exchanged =
            is_float(own) ? !is_float(type) && !is_untyped(type) : is_float(type) && !is_untyped(own);
        if (is_exchanged) return false;
        const int bytes = ptx::size_bytes(own), wanted = ptx::size_bytes(type);
        return bytes == wanted || (may_be_wider && bytes > wanted);
    }

    std::string name() const { return shown(ptx::full_name(in_)); }
    std::string problem(std::size_t operand, const std::string& wanted) const {
        return fmt::format("operand {} of `{}` has to be {}", operand + 1, name(), wanted);
    }

private:
    std::string fit(const Shape& shape) const {
        const bool needs_type = std::any_of(shape.items.begin(), shape.items.end(),
                                            [](std::string_view item) { return item.starts_with('T') || item == "V"; });
        if (needs_type && ptx::last_type(in_) == Type::none) return fmt::format("`{}` names no type", name());
        for (std::size_t i = 0; i < shape.items.size(); ++i) {
            const Operand& operand = in_.operands[i];
            const std::string wanted =
                i < shape.results ? result(shape.items[i], operand) : source(shape.items[i], operand);
            if (!wanted.empty()) return problem(i, wanted);
        }
        return {};
    }

    Type type_of(std::string_view item) const {
        if (item.starts_with('T')) return ptx::last_type(in_);
        return item == "p" ? Type::pred : ptx::type_named(item);
    }
    static std::string bits(Type type) { return std::to_string(8 * ptx::size_bytes(type)) + " bits"; }

    template <class F>
    std::string vector(const Operand& operand, F&& wanted_of) const {
        const auto count = static_cast<std::size_t>(vector_);
        if (operand.kind != Operand::Kind::vector) {
            return vector_ == 1 ? wanted_of(operand) : fmt::format("{} of them in braces", count);
        }
        if (operand.elements.size() != count) return fmt::format("{} of them in braces", count);
        for (const Operand& element : operand.elements)
            if (std::string wanted = wanted_of(element); !wanted.empty()) return wanted;
        return {};
    }

    // [%rd1+8], [tile+4], [16]; and of a tensor [%rd1, {%r1, %r2}].
    bool is_address(const Operand& operand) const {
        if (operand.kind != Operand::Kind::address || operand.elements.size() != 1) return false;
        const Operand& base = operand.elements[0];
        if (base.kind == Operand::Kind::symbol || base.kind == Operand::Kind::integer) return true;
        return is_register(base, Type::b64, false) || is_register(base, Type::b32, false);
    }

    const ptx::Function& function_;
    const Instruction& in_;
    bool takes_wider_ = false, takes_special_ = false, takes_symbols_ = false;
    int vector_ = 1;
};

}  // namespace

std::string shown(std::string_view text) { return ptx::printable(text, 40); }

std::optional<std::string_view> form_of(const Instruction& in) {
    for (const Row& row : kRows)
        if (row.opcode == in.opcode && has_words(in, row.words)) return row.form;
    return std::nullopt;
}

std::string operand_problem(const ptx::Function& function, const Instruction& in, std::string_view form) {
    return OperandCheck(function, in)(form);
}

std::string move_problem(const ptx::Function& function, const Instruction& in) {
    const OperandCheck check(function, in);
    const Type type = ptx::last_type(in);
    const int bytes = ptx::size_bytes(type);
    if (type == Type::pred) return check("p=p");
    if (bytes < 2) return fmt::format("`{}` names no type that mov knows", check.name());
    if (in.operands.size() != 2) return check("T=T");
    const bool packs = in.operands[1].kind == Operand::Kind::vector;
    if (packs && in.operands[0].kind == Operand::Kind::vector) return {};  // a move of .v2 or .v4, which is no packing
    if (!packs && in.operands[0].kind != Operand::Kind::vector) return check("T=T");
    const Operand &packed = in.operands[packs ? 0 : 1], &parts = in.operands[packs ? 1 : 0];
    const auto count = static_cast<int>(parts.elements.size());
    const Type part = count != 2 && count != 4 ? Type::none
                      : bytes / count == 1     ? Type::b8
                      : bytes / count == 2     ? Type::b16
                      : bytes / count == 4     ? Type::b32
                                               : Type::b64;
    if (part == Type::none || count > bytes) return fmt::format("`{}` packs 2 or 4 parts, not {}", check.name(), count);
    const std::string_view part_name = ptx::name(part);
    for (const Operand& element : parts.elements) {
        const bool is_left_out = !packs && element.kind == Operand::Kind::sink;
        const std::string wanted = packs         ? check.source(part_name, element)
                                   : is_left_out ? ""
                                                 : check.result(part_name, element);
        if (!wanted.empty()) return check.problem(packs ? 1 : 0, "parts, each " + wanted);
    }
    const std::string wanted = packs ? check.result("T", packed) : check.source("T", packed);
    return wanted.empty() ? "" : check.problem(packs ? 0 : 1, wanted);
}

}  // namespace warpgrade::vgpu
