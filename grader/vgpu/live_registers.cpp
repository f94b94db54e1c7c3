#include "vgpu/live_registers.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace warpgrade::vgpu {

using ptx::Function;
using ptx::Instruction;
using ptx::Operand;

namespace {

constexpr std::size_t kMostCells = std::size_t{1} << 28;  // instructions times registers
constexpr std::uint32_t kMost = 255;                      // that a thread can have

bool is_store(const Instruction& in) { return in.opcode == "st" || in.opcode == "red" || in.opcode == "bar"; }
bool is_end(const Instruction& in) { return in.opcode == "ret" || in.opcode == "exit" || in.opcode == "trap"; }

class Liveness {
public:
    explicit Liveness(const Function& function)
        : function_(function), words_((function.registers.size() + 63) / 64), live_(function.body.size() + 1) {}

    std::uint32_t most() {
        const std::size_t count = function_.body.size();
        for (bool changed = true; changed;) {
            changed = false;
            Set now(words_, 0);
            for (std::size_t i = count; i-- > 0;) {
                after(i, now);
                before(function_.body[i], now);
                if (!is_target(i)) continue;
                changed = changed || live_[i] != now;
                live_[i] = now;
            }
        }
        std::uint32_t most = 0;
        Set now(words_, 0);
        for (std::size_t i = count; i-- > 0;) {
            after(i, now);
            before(function_.body[i], now);
            most = std::max(most, registers_in(now));
        }
        return most;
    }

private:
    using Set = std::vector<std::uint64_t>;

    // What is alive behind an instruction: `now` holds what is at the next one.
    void after(std::size_t i, Set& now) const {
        const Instruction& in = function_.body[i];
        const bool goes_on = in.guard >= 0 || (!is_end(in) && in.opcode != "bra" && in.opcode != "brx");
        if (!goes_on) std::fill(now.begin(), now.end(), 0);
        for (const Operand& operand : in.operands) {
            if (operand.kind != Operand::Kind::label) continue;
            if (operand.index >= 0) join(now, live_[static_cast<std::size_t>(operand.index)]);
            const auto table = function_.branch_tables.find(operand.name);
            if (table == function_.branch_tables.end()) continue;
            for (const int target : table->second) join(now, live_[static_cast<std::size_t>(target)]);
        }
    }
    void before(const Instruction& in, Set& now) const {
        const std::size_t first_source = is_store(in) || is_end(in) || in.operands.empty() ? 0 : 1;
        if (first_source == 1 && in.guard < 0)
            each_register(in.operands[0], [&](std::size_t r) { now[r / 64] &= ~(std::uint64_t{1} << r % 64); });
        const auto use = [&](std::size_t r) { now[r / 64] |= std::uint64_t{1} << r % 64; };
        for (std::size_t k = first_source; k < in.operands.size(); ++k) each_register(in.operands[k], use);
        if (in.guard >= 0) use(static_cast<std::size_t>(in.guard));
    }
    bool is_target(std::size_t i) {
        if (targets_.empty()) {
            targets_.assign(function_.body.size() + 1, false);
            for (const Instruction& in : function_.body)
                for (const Operand& operand : in.operands)
                    if (operand.kind == Operand::Kind::label && operand.index >= 0)
                        targets_[static_cast<std::size_t>(operand.index)] = true;
            for (const auto& [name, table] : function_.branch_tables)
                for (const int target : table) targets_[static_cast<std::size_t>(target)] = true;
        }
        return targets_[i];
    }
    static void join(Set& into, const Set& from) {
        for (std::size_t k = 0; k < from.size(); ++k) into[k] |= from[k];
    }
    std::uint32_t registers_in(const Set& now) const {
        std::uint32_t count = 0;
        for (std::size_t k = 0; k < now.size(); ++k) {
            for (std::uint64_t left = now[k]; left != 0; left &= left - 1) {
                const ptx::Type type =
                    function_.registers[k * 64 + static_cast<std::size_t>(__builtin_ctzll(left))].type;
                if (type != ptx::Type::pred) count += ptx::size_bytes(type) > 4 ? 2 : 1;
            }
        }
        return count;
    }

    const Function& function_;
    std::size_t words_;
    std::vector<Set> live_;  // at the targets of branches; empty elsewhere
    std::vector<bool> targets_;
};

}  // namespace

std::uint32_t most_live_registers(const Function& function) {
    if (function.body.size() * std::max<std::size_t>(function.registers.size(), 1) > kMostCells) return kMost;
    return Liveness(function).most();
}

}  // namespace warpgrade::vgpu
