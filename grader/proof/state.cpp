#include "proof/state.hpp"

#include <algorithm>

namespace warpgrade::proof {
namespace {

using ptx::Instruction;
using ptx::Operand;
using Kind = ptx::Operand::Kind;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// Its modifiers are among these, beside its type.
bool has_only(const Instruction& instruction, std::initializer_list<std::string_view> words) {
    return std::all_of(instruction.modifiers.begin(), instruction.modifiers.end(), [&](const std::string& modifier) {
        return is_one_of(modifier, words) || ptx::type_named(modifier) != ptx::Type::none;
    });
}

bool names(const Operand& operand, const std::string& symbol) {
    return (operand.kind == Kind::symbol && operand.name == symbol) ||
           std::any_of(operand.elements.begin(), operand.elements.end(),
                       [&](const Operand& one) { return names(one, symbol); });
}

// No other instruction than a load names it, and no other variable holds its address: then nothing changes it.
bool is_only_loaded(const ptx::Module& module, const std::string& symbol) {
    for (const ptx::Variable& variable : module.variables)
        for (const ptx::InitialAddress& held : variable.initial_addresses)
            if (held.symbol == symbol) return false;
    for (const ptx::Function& function : module.functions)
        for (const Instruction& instruction : function.body)
            for (std::size_t i = 0; i < instruction.operands.size(); ++i)
                if (names(instruction.operands[i], symbol) &&
                    (instruction.opcode != "ld" || i != 1 || instruction.operands[1].kind != Kind::address))
                    return false;
    return true;
}

[[noreturn]] void give_up_on(const Instruction& instruction) {
    throw Unsupported{"the instruction " + ptx::full_name(instruction)};
}

}  // namespace

Stepper::Stepper(Context& context, const ptx::Module& module, const ptx::Function& function,
                 const std::map<std::string, Value>& parameters, Executed& executed)
    : context_(context), module_(module), function_(function), parameters_(parameters), executed_(executed) {
    const auto add = [&](const std::vector<ptx::Variable>& variables) {
        for (const ptx::Variable& variable : variables)
            if (variable.space == ptx::Space::shared)
                executed_.shared.push_back(
                    {variable.name, variable.is_external ? 0 : variable.bytes, variable.align_bytes});
    };
    add(module.variables);
    add(function.variables);
}

Condition Stepper::guard_of(const State& state, const Instruction& instruction, const char* if_loaded) const {
    Operand guard;
    guard.kind = Kind::reg;
    guard.index = instruction.guard;
    guard.negated = instruction.guard_negated;
    const Value value = of(state, guard);
    const auto* condition = std::get_if<Condition>(&value);
    if (condition == nullptr) throw Unsupported{if_loaded};
    return *condition;
}

std::vector<State> Stepper::step(State state, const Instruction& instruction, int line) {
    line_ = line;
    if (instruction.opcode == "bra") return branch(std::move(state), instruction);
    std::vector<State> after;
    if (instruction.guard >= 0) {
        const Condition condition = guard_of(state, instruction, "what runs depends on loaded values");
        auto [runs, skips] = forked(std::move(state), condition);
        if (skips.at >= 0) ++skips.at, after.push_back(std::move(skips));
        if (runs.at < 0) return after;
        state = std::move(runs);
    }
    if (is_one_of(instruction.opcode, {"ret", "exit"})) {
        if (state.launched != state.launches.size()) throw Unsupported{"a launch that is not made"};
        executed_.ways.push_back({state.path, std::move(state.launches), line_, std::move(state.passed)});
        return after;
    }
    std::vector<State> own;
    if (instruction.opcode == "selp") {
        own = select(std::move(state), instruction);
    } else if (is_one_of(instruction.opcode, {"min", "max"})) {
        own = extreme(std::move(state), instruction);
    } else {
        run(state, instruction);
        own.push_back(std::move(state));
    }
    for (State& one : own) {
        ++one.at;
        after.push_back(std::move(one));
    }
    return after;
}

void Stepper::run(State& state, const Instruction& instruction) {
    const std::string& opcode = instruction.opcode;
    if (is_one_of(opcode, {"bar", "barrier"})) return pass_barrier(state, instruction);
    if (opcode == "shfl" || opcode == "vote" || opcode == "match") return meet_warp(state, instruction);
    if (opcode == "call") return call(state, instruction);
    if (opcode == "ld" && ptx::has_word(instruction, "param")) return load_parameter(state, instruction);
    if (opcode == "st" && ptx::has_word(instruction, "param")) return store_parameter(state, instruction);
    if (is_one_of(opcode, {"ld", "st"})) return access(state, instruction, opcode == "st");
    if (instruction.operands.empty()) give_up_on(instruction);
    set(state, instruction.operands.front(), computed(state, instruction));
}

std::array<State, 2> Stepper::forked(State state, const Condition& condition) const {
    const Condition other = opposite(condition);
    const auto may_hold = [&](const Condition& one) {
        if (one.is_true() || one.is_false()) return one.is_true();
        Path path = state.path;
        path.push_back(one);
        return context_.emptiness(path) != Emptiness::empty;
    };
    const bool may_be = may_hold(condition), may_be_not = may_hold(other);
    State is_not = state;
    if (may_be && may_be_not) {
        state.path.push_back(condition);
        is_not.path.push_back(other);
    }
    if (!may_be) state.at = -1;
    if (!may_be_not) is_not.at = -1;
    return {std::move(state), std::move(is_not)};
}

std::vector<State> Stepper::branch(State state, const Instruction& instruction) {
    if (instruction.operands.size() != 1 || instruction.operands[0].kind != Kind::label ||
        instruction.operands[0].index < 0)
        give_up_on(instruction);
    const int target = instruction.operands[0].index;
    if (instruction.guard < 0) {
        state.at = target;
        return {std::move(state)};
    }
    const Condition condition = guard_of(state, instruction, "a branch depends on loaded values");
    auto [taken, passed] = forked(std::move(state), condition);
    std::vector<State> after;
    if (taken.at >= 0) taken.at = target, after.push_back(std::move(taken));
    if (passed.at >= 0) ++passed.at, after.push_back(std::move(passed));
    return after;
}

std::vector<State> Stepper::selected(State state, const Operand& target, const Condition& condition,
                                     const Value& if_true, const Value& if_false) const {
    std::vector<State> after;
    const bool has_data = std::holds_alternative<Data>(if_true) || std::holds_alternative<Data>(if_false);
    const auto one = data_of(if_true), other = data_of(if_false);
    const bool is_lost = has_data && (!one || !other || !one->is_known || !other->is_known);
    if (if_true == if_false || is_lost) {
        set(state, target, if_true == if_false ? if_true : Value(Data{}));
        after.push_back(std::move(state));
        return after;
    }
    auto [is, is_not] = forked(std::move(state), condition);
    if (is.at >= 0) set(is, target, if_true), after.push_back(std::move(is));
    if (is_not.at >= 0) set(is_not, target, if_false), after.push_back(std::move(is_not));
    return after;
}

std::vector<State> Stepper::select(State state, const Instruction& instruction) {
    if (instruction.operands.size() != 4) give_up_on(instruction);
    const Value a = of(state, instruction.operands[1]), b = of(state, instruction.operands[2]),
                which = of(state, instruction.operands[3]);
    if (const auto* condition = std::get_if<Condition>(&which))
        return selected(std::move(state), instruction.operands[0], *condition, a, b);
    set(state, instruction.operands[0], Data{});
    return {std::move(state)};
}

std::vector<State> Stepper::extreme(State state, const Instruction& instruction) {
    if (instruction.operands.size() != 3) give_up_on(instruction);
    const Value a = of(state, instruction.operands[1]), b = of(state, instruction.operands[2]);
    const auto *first = std::get_if<Polynomial>(&a), *second = std::get_if<Polynomial>(&b);
    if (first == nullptr || second == nullptr) {
        run(state, instruction);
        return {std::move(state)};
    }
    const ptx::Type type = ptx::last_type(instruction);
    const Polynomial x = read(state, *first, type), y = read(state, *second, type);
    const bool is_max = instruction.opcode == "max";
    return selected(std::move(state), instruction.operands[0], at_least(x, y), is_max ? x : y, is_max ? y : x);
}

// All lanes of the warp: what they exchange is not followed, and nothing is ordered by it here.
void Stepper::meet_warp(State& state, const Instruction& instruction) {
    constexpr Integer all_lanes = 0xffffffff;
    const Value named = of(state, instruction.operands.back());
    const auto* mask = std::get_if<Polynomial>(&named);
    const bool is_whole = mask != nullptr && mask->is_constant() && (mask->constant() & all_lanes) == all_lanes;
    if (!ptx::has_word(instruction, "sync")) give_up_on(instruction);
    if (!is_whole) throw Unsupported{"a shuffle or vote that is not of all lanes"};
    executed_.barriers.push_back({state.path, line_, true});
    if (instruction.opcode == "bar" || instruction.opcode == "barrier") return;
    const Operand& target = instruction.operands.front();
    if (target.kind != Kind::pair) return set(state, target, Data{});
    for (const Operand& element : target.elements) set(state, element, Data{});
}

void Stepper::pass_barrier(State& state, const Instruction& instruction) {
    if (ptx::has_word(instruction, "warp") && !instruction.operands.empty()) return meet_warp(state, instruction);
    const bool is_plain = ptx::has_word(instruction, "sync") && has_only(instruction, {"sync", "cta", "aligned"});
    if (!is_plain || instruction.operands.size() != 1 || instruction.operands[0].kind != Kind::integer ||
        instruction.operands[0].bits != 0)
        give_up_on(instruction);
    executed_.barriers.push_back({state.path, line_});
    ++state.barriers;
}

Pointer Stepper::address(const State& state, const Operand& operand) const {
    if (operand.kind != Kind::address || operand.elements.size() != 1) throw Unsupported{"an address of another form"};
    const Value base = of(state, operand.elements[0]);
    const auto* pointer = std::get_if<Pointer>(&base);
    if (pointer == nullptr)
        throw Unsupported{std::holds_alternative<Data>(base) ? "an address depends on loaded values"
                                                             : "an address that is not of a known buffer"};
    Pointer at = *pointer;
    at.offset += Polynomial(operand.offset);
    return at;
}

void Stepper::load_parameter(State& state, const Instruction& instruction) {
    const auto& operands = instruction.operands;
    if (operands.size() != 2 || operands[1].kind != Kind::address || operands[1].elements.size() != 1 ||
        operands[1].elements[0].kind != Kind::symbol)
        give_up_on(instruction);
    const std::string& name = operands[1].elements[0].name;
    const std::int64_t offset = operands[1].offset + operands[1].elements[0].offset;
    const auto returned = state.passed.find({name, offset});
    const auto given = parameters_.find(name);
    if (returned != state.passed.end()) return set(state, operands[0], returned->second);
    if (given == parameters_.end() || offset != 0) throw Unsupported{"a part of a parameter"};
    const auto variable = std::find_if(function_.parameters.begin(), function_.parameters.end(),
                                       [&](const ptx::Variable& one) { return one.name == name; });
    if (variable == function_.parameters.end() ||
        static_cast<std::uint64_t>(ptx::size_bytes(ptx::last_type(instruction))) != variable->bytes)
        throw Unsupported{"a part of a parameter"};
    // What is narrower than its register is filled up there.
    if (operands[0].kind == Kind::reg &&
        ptx::size_bytes(function_.registers.at(static_cast<std::size_t>(operands[0].index)).type) !=
            ptx::size_bytes(ptx::last_type(instruction)))
        throw Unsupported{"a parameter that is narrower than its register"};
    set(state, operands[0], given->second);
}

void Stepper::store_parameter(State& state, const Instruction& instruction) {
    const auto& operands = instruction.operands;
    if (operands.size() != 2 || operands[0].kind != Kind::address || operands[0].elements.size() != 1 ||
        operands[0].elements[0].kind != Kind::symbol)
        give_up_on(instruction);
    const std::string& name = operands[0].elements[0].name;
    const std::int64_t offset = operands[0].offset + operands[0].elements[0].offset;
    const int bytes = ptx::size_bytes(ptx::last_type(instruction));
    if (bytes < 4 || offset % bytes != 0) throw Unsupported{"an argument that is passed in parts"};
    if (bytes > 4) state.passed.erase({name, offset + 4});
    state.passed[{name, offset}] = of(state, operands[1]);
}

// A whole number of a variable of the program that keeps its first value: "dim3(32, 8)" in a template is one.
std::optional<Polynomial> Stepper::constant_at(const Operand& at, ptx::Type type, ptx::Type target) const {
    if (at.kind != Kind::address || at.elements.size() != 1 || at.elements[0].kind != Kind::symbol) return std::nullopt;
    const auto variable = std::find_if(module_.variables.begin(), module_.variables.end(),
                                       [&](const ptx::Variable& one) { return one.name == at.elements[0].name; });
    const std::int64_t offset = at.offset + at.elements[0].offset;
    const auto size = static_cast<std::uint64_t>(ptx::size_bytes(type));
    if (variable == module_.variables.end() || variable->is_external || variable->is_managed ||
        (variable->space != ptx::Space::global && variable->space != ptx::Space::constant) ||
        !variable->initial_addresses.empty() || size == 0 ||
        size != static_cast<std::uint64_t>(ptx::size_bytes(target)) || offset < 0 ||
        static_cast<std::uint64_t>(offset) + size > variable->bytes || static_cast<std::uint64_t>(offset) % size != 0 ||
        variable->align_bytes % size != 0 || !is_only_loaded(module_, variable->name))
        return std::nullopt;
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
        const std::uint64_t from = static_cast<std::uint64_t>(offset) + i;
        if (from < variable->initial.size()) value |= std::uint64_t{variable->initial[from]} << (8 * i);
    }
    return Polynomial(static_cast<Integer>(value));
}

void Stepper::access(State& state, const Instruction& instruction, bool is_store) {
    const auto& operands = instruction.operands;
    if (operands.size() != 2) give_up_on(instruction);
    const Operand &at = operands[is_store ? 0 : 1], &data = operands[is_store ? 1 : 0];
    const ptx::Type type = ptx::last_type(instruction);
    if (is_store && at.kind == Kind::address && at.elements.size() == 1) {
        const Value base = of(state, at.elements[0]);
        if (std::holds_alternative<ArgumentBuffer>(base)) {
            if (state.launches.size() != state.launched + 1 || !has_only(instruction, {})) give_up_on(instruction);
            std::map<std::int64_t, Argument>& arguments = state.launches.back().arguments;
            const int bytes = ptx::size_bytes(type);
            for (const auto& [offset, other] : arguments)
                if (offset != at.offset && offset < at.offset + bytes && at.offset < offset + other.bytes)
                    throw Unsupported{"an argument that is passed in parts"};
            arguments[at.offset] = {of(state, data), bytes};
            return;
        }
    }
    if (!is_store && data.kind == Kind::reg && has_only(instruction, {"global", "const", "nc"}))
        if (const auto value = constant_at(at, type, function_.registers.at(static_cast<std::size_t>(data.index)).type))
            return set(state, data, *value);
    const bool is_shared = ptx::has_word(instruction, "shared");
    if (!has_only(instruction, {"global", "shared", "nc", "v2", "v4"}) || ptx::size_bytes(type) == 0)
        give_up_on(instruction);
    const std::vector<Operand> parts = data.kind == Kind::vector ? data.elements : std::vector<Operand>{data};
    Event event;
    event.is_store = is_store;
    event.at = address(state, at);
    if (event.at.is_shared != is_shared) throw Unsupported{"an address of another state space"};
    event.width_bytes = ptx::size_bytes(type) * static_cast<int>(parts.size());
    event.path = state.path;
    event.barriers = state.barriers;
    event.line = line_;
    const auto number = static_cast<Atom>(executed_.events.size());
    if (is_store) event.stored = stored(state, data);
    for (std::size_t i = 0; i < parts.size() && !is_store; ++i)
        set(state, parts[i],
            Data{true, Polynomial::of(number), Data::Arithmetic::none, static_cast<int>(i),
                 static_cast<int>(parts.size())});
    executed_.events.push_back(std::move(event));
}

// Of a vector: what was loaded as one of as many parts, in the same order.
Data Stepper::stored(const State& state, const Operand& operand) const {
    if (operand.kind != Kind::vector) return data_of(of(state, operand)).value_or(Data{});
    Data whole;
    for (std::size_t i = 0; i < operand.elements.size(); ++i) {
        Data part = data_of(of(state, operand.elements[i])).value_or(Data{});
        if (!part.is_known || part.part != static_cast<int>(i) ||
            part.parts != static_cast<int>(operand.elements.size()))
            return {};
        part.part = 0, part.parts = 1;
        if (i > 0 && part != whole) return {};
        whole = std::move(part);
    }
    return whole.event() < 0 ? Data{} : whole;
}

void Stepper::call(State& state, const Instruction& instruction) {
    std::string name, returned;
    std::vector<std::string> passed;
    for (const Operand& operand : instruction.operands) {
        if (operand.kind == Kind::symbol && name.empty()) name = operand.name;
        if (operand.kind != Kind::tuple) continue;
        if (name.empty()) {
            if (operand.elements.size() == 1) returned = operand.elements[0].name;
        } else {
            for (const Operand& element : operand.elements) passed.push_back(element.name);
        }
    }
    const auto part = [&](std::size_t index, std::int64_t offset) {
        const auto found = index < passed.size() ? state.passed.find({passed[index], offset}) : state.passed.end();
        if (found == state.passed.end()) throw Unsupported{"a launch whose arguments are not known"};
        return found->second;
    };
    const auto number = [&](std::size_t index, std::int64_t offset, bool is_grid) {
        const Value value = part(index, offset);
        const auto* known = std::get_if<Polynomial>(&value);
        if (known == nullptr) throw Unsupported{is_grid ? "a grid that is not known" : "a block that is not known"};
        return read(state, *known, ptx::Type::u32);
    };
    if (name == "__cudaCDP2GetParameterBufferV2") {
        if (state.launches.size() != state.launched) throw Unsupported{"a launch that is not made"};
        SymbolicLaunch launch;
        const Value kernel = part(0, 0);
        if (!std::holds_alternative<KernelName>(kernel)) throw Unsupported{"a launch of a kernel that is not known"};
        launch.kernel = std::get<KernelName>(kernel).name;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            launch.grid[axis] = number(1, static_cast<std::int64_t>(4 * axis), true);
            launch.block[axis] = number(2, static_cast<std::int64_t>(4 * axis), false);
        }
        launch.dynamic_shared_bytes = number(3, 0, false);
        launch.line = line_;
        state.launches.push_back(std::move(launch));
        state.passed[{returned, 0}] = ArgumentBuffer{};
    } else if (name == "__cudaCDP2LaunchDeviceV2") {
        if (!std::holds_alternative<ArgumentBuffer>(part(0, 0))) throw Unsupported{"a launch that is not known"};
        const Value stream = part(1, 0);
        if (stream != Value(Polynomial())) throw Unsupported{"a launch into a stream"};
        state.launched = state.launches.size();
        state.launches.back().path = state.path;
        state.passed[{returned, 0}] = Polynomial();  // cudaSuccess: the launch is within the limits, or not proved
    } else {
        throw Unsupported{"a call of " + name};
    }
}

}  // namespace warpgrade::proof
