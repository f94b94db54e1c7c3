#include "ptx/dump.hpp"

#include <fmt/format.h>

namespace warpgrade::ptx {

namespace {

std::string signed_offset(std::int64_t offset) { return offset == 0 ? "" : fmt::format("{:+}", offset); }

class Dumper {
public:
    std::string take() { return std::move(out_); }

    void module(const Module& module) {
        line("version {} target {} address_size {}", module.version, module.target, module.address_size_bits);
        for (const auto& [number, path] : module.files) line("file {} {}", number, path);
        for (const auto& [name, target] : module.aliases) line("alias {} = {}", name, target);
        for (const Variable& each : module.variables) variable("variable", each);
        for (const Function& each : module.functions) function(each);
    }

private:
    template <class... Arguments>
    void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
        out_ += '\n';
    }

    void variable(std::string_view role, const Variable& v) {
        out_ += fmt::format("{} {} .{} .{} align {} bytes {}", role, v.name, name(v.space), name(v.type), v.align_bytes,
                            v.bytes);
        if (v.is_external) out_ += " external";
        if (!v.initial.empty()) {
            out_ += " =";
            for (const std::uint8_t byte : v.initial) out_ += fmt::format(" {:02x}", byte);
        }
        for (const InitialAddress& address : v.initial_addresses) {
            out_ += fmt::format(" @{}:{}{}{}", address.offset, address.generic ? "generic " : "", address.symbol,
                                signed_offset(address.addend));
        }
        out_ += '\n';
    }

    void function(const Function& f) {
        function_ = &f;
        line("");
        line("{} {}{}{}", f.is_entry ? "entry" : "func", f.name, f.is_visible ? " visible" : "",
             f.is_declaration ? " declaration" : "");
        for (const auto& [word, values] : f.directives) line("  directive {} {}", word, fmt::join(values, ", "));
        for (const Variable& each : f.returns) variable("  return", each);
        for (const Variable& each : f.parameters) variable("  parameter", each);
        for (const Variable& each : f.variables) variable("  variable", each);
        for (const Register& each : f.registers) line("  register {} .{}", each.name, name(each.type));
        for (std::size_t i = 0; i < f.locations.size(); ++i) {
            const Location& at = f.locations[i];
            line("  location {}: {}:{}:{}{}", i, at.file, at.line, at.column,
                 at.inlined_at < 0 ? "" : fmt::format(" in {}", at.inlined_at));
        }
        for (const auto& [table, targets] : f.branch_tables) line("  branches {}: {}", table, fmt::join(targets, ", "));
        for (const auto& [list, targets] : f.call_targets) line("  calls {}: {}", list, fmt::join(targets, ", "));
        for (const auto& [each, prototype] : f.call_prototypes) {
            line("  prototype {}", each);
            for (const Variable& value : prototype.returns) variable("    return", value);
            for (const Variable& value : prototype.parameters) variable("    parameter", value);
        }
        for (std::size_t i = 0; i < f.body.size(); ++i) instruction(i, f.body[i]);
    }

    void instruction(std::size_t index, const Instruction& instruction) {
        std::string guard;
        if (instruction.guard >= 0) {
            guard = fmt::format("@{}{} ", instruction.guard_negated ? "!" : "", register_name(instruction.guard));
        }
        std::string operands = list(instruction.operands);
        line("{:5} {}{}{}{}{}", index, guard, full_name(instruction), operands.empty() ? "" : " ", operands,
             instruction.location < 0 ? "" : fmt::format("  ;{}", instruction.location));
    }

    std::string register_name(int index) const { return function_->registers.at(static_cast<std::size_t>(index)).name; }

    std::string list(const std::vector<Operand>& operands) const {
        std::string text;
        for (const Operand& each : operands) text.append(text.empty() ? "" : ", ").append(operand(each));
        return text;
    }

    std::string operand(const Operand& o) const {
        switch (o.kind) {
            case Operand::Kind::reg: return fmt::format("{}{}", o.negated ? "!" : "", register_name(o.index));
            case Operand::Kind::special: return fmt::format("{}special:{}", o.negated ? "!" : "", o.name);
            case Operand::Kind::integer: return fmt::format("{}", static_cast<std::int64_t>(o.bits));
            case Operand::Kind::f32: return fmt::format("f32:{:08x}", o.bits);
            case Operand::Kind::f64: return fmt::format("f64:{:016x}", o.bits);
            case Operand::Kind::symbol: return fmt::format("&{}{}", o.name, signed_offset(o.offset));
            case Operand::Kind::address: return fmt::format("[{}]{}", list(o.elements), signed_offset(o.offset));
            case Operand::Kind::vector: return fmt::format("{{{}}}", list(o.elements));
            case Operand::Kind::pair: return fmt::format("{}|{}", operand(o.elements[0]), operand(o.elements[1]));
            case Operand::Kind::tuple: return fmt::format("({})", list(o.elements));
            case Operand::Kind::label:
                return o.name.empty() ? fmt::format("->{}", o.index) : fmt::format("->{}", o.name);
            case Operand::Kind::sink: return "_";
        }
        return {};
    }

    std::string out_;
    const Function* function_ = nullptr;
};

}  // namespace

std::string dump(const Module& module) {
    Dumper dumper;
    dumper.module(module);
    return dumper.take();
}

}  // namespace warpgrade::ptx
