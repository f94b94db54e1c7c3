// The states of a symbolic execution. Internal to proof/.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proof/execution.hpp"

namespace warpgrade::proof {

struct State {
    int at = 0;        // index of the next instruction
    int barriers = 0;  // passed
    std::vector<Value> registers;
    Path path;
    // Of call-site parameters, by name and offset; and launches so far.
    std::map<std::pair<std::string, std::int64_t>, Value> passed;
    std::vector<SymbolicLaunch> launches;
    std::size_t launched = 0;  // of these
};

// A number beside what was loaded; nothing of an address or a condition.
std::optional<Data> data_of(const Value& value);

// For each instruction, the registers whose values may still be read.
std::vector<std::vector<bool>> live_registers(const ptx::Function& function);

// One instruction's meaning; see execution.hpp.
class Stepper {
public:
    Stepper(Context& context, const ptx::Module& module, const ptx::Function& function,
            const std::map<std::string, Value>& parameters, Executed& executed);

    // The states after the instruction at state.at; none at the end.
    std::vector<State> step(State state, const ptx::Instruction& instruction, int line);

private:
    using Operands = std::vector<ptx::Operand>;
    std::vector<State> branch(State state, const ptx::Instruction& instruction);
    // The states in which it holds, and in which not; at = -1: there is none.
    // Throws Unsupported for the reason `if_loaded`, where it is not known.
    Condition guard_of(const State& state, const ptx::Instruction& instruction, const char* if_loaded) const;
    std::array<State, 2> forked(State state, const Condition& condition) const;
    std::vector<State> selected(State state, const ptx::Operand& target, const Condition& condition,
                                const Value& if_true, const Value& if_false) const;
    std::vector<State> select(State state, const ptx::Instruction& instruction);
    std::vector<State> extreme(State state, const ptx::Instruction& instruction);
    void run(State& state, const ptx::Instruction& instruction);
    void pass_barrier(State& state, const ptx::Instruction& instruction);
    void load_parameter(State& state, const ptx::Instruction& instruction);
    void store_parameter(State& state, const ptx::Instruction& instruction);
    std::optional<Polynomial> constant_at(const ptx::Operand& at, ptx::Type type, ptx::Type target) const;
    void access(State& state, const ptx::Instruction& instruction, bool is_store);
    void meet_warp(State& state, const ptx::Instruction& instruction);
    Data stored(const State& state, const ptx::Operand& operand) const;
    Data computed_data(const ptx::Instruction& instruction, const std::vector<Value>& values) const;
    void call(State& state, const ptx::Instruction& instruction);
    Value computed(const State& state, const ptx::Instruction& instruction);
    Value compared(const State& state, const ptx::Instruction& instruction, const Value& a, const Value& b);
    Value logical(const ptx::Instruction& instruction, const std::vector<Value>& values) const;
    Value with_pointer(const State& state, const ptx::Instruction& instruction, const std::vector<Value>& values);
    Value whole(const State& state, const ptx::Instruction& instruction, const std::vector<Polynomial>& values);
    Polynomial multiplied(const State& state, const ptx::Instruction& instruction,
                          const std::vector<Polynomial>& values);
    Polynomial converted(const State& state, const ptx::Instruction& instruction, const Polynomial& value);
    Value bitwise(const State& state, const ptx::Instruction& instruction, const std::vector<Polynomial>& values);
    Polynomial shifted_right(const State& state, ptx::Type type, const Polynomial& value, const Polynomial& distance);
    Polynomial divided(const State& state, ptx::Type type, const std::vector<Polynomial>& values, bool is_remainder);
    Value of(const State& state, const ptx::Operand& operand) const;
    Value special(const std::string& name) const;
    Pointer address(const State& state, const ptx::Operand& operand) const;
    void set(State& state, const ptx::Operand& target, Value value) const;
    // The value as the type reads it: an obligation where it is not known.
    Polynomial read(const State& state, const Polynomial& value, ptx::Type type);
    // An index of the block as it is: below gridDim, which is within the limits (`launch`).
    bool is_block_index(const Polynomial& value) const;

    Context& context_;
    const ptx::Module& module_;
    const ptx::Function& function_;
    const std::map<std::string, Value>& parameters_;
    Executed& executed_;
    int line_ = 0;
};

}  // namespace warpgrade::proof
