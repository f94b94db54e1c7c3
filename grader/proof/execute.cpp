#include "proof/execution.hpp"

#include <algorithm>
#include <map>

#include "proof/state.hpp"

namespace warpgrade::proof {
namespace {

using ptx::Operand;

constexpr int most_steps = 20'000;
constexpr std::size_t most_waiting = 64;  // states that wait at one instruction

void note_read(const Operand& operand, std::vector<bool>& registers) {
    if (operand.kind == Operand::Kind::reg) registers[static_cast<std::size_t>(operand.index)] = true;
    for (const Operand& element : operand.elements) note_read(element, registers);
}

bool defines(const ptx::Instruction& instruction) {
    return !instruction.operands.empty() && instruction.operands[0].kind == Operand::Kind::reg &&
           instruction.opcode != "st" && instruction.opcode != "bra";
}

std::vector<bool> read_by(const ptx::Instruction& instruction, std::vector<bool> after) {
    if (defines(instruction) && instruction.guard < 0)
        after[static_cast<std::size_t>(instruction.operands[0].index)] = false;
    for (std::size_t i = defines(instruction) ? 1 : 0; i < instruction.operands.size(); ++i)
        note_read(instruction.operands[i], after);
    if (instruction.guard >= 0) after[static_cast<std::size_t>(instruction.guard)] = true;
    return after;
}

class Execution {
public:
    Execution(Context& context, const ptx::Module& module, const ptx::Function& function,
              const std::map<std::string, Value>& parameters, std::string_view source_file)
        : context_(context),
          function_(function),
          live_(live_registers(function)),
          stepper_(context, module, function, parameters, executed_) {
        for (const ptx::SourcePlace& place : ptx::source_places(module, function, source_file))
            lines_.push_back(place.innermost.line);
    }

    Executed run() {
        State first;
        first.registers.resize(function_.registers.size());
        push(std::move(first));
        for (int steps = 0; !waiting_.empty(); ++steps) {
            State state = pop();
            if (static_cast<std::size_t>(state.at) >= function_.body.size()) {
                if (state.launched != state.launches.size()) throw Unsupported{"a launch that is not made"};
                executed_.ways.push_back({state.path, std::move(state.launches), 0, std::move(state.passed)});
                continue;
            }
            const ptx::Instruction& instruction = function_.body[static_cast<std::size_t>(state.at)];
            const int line = instruction.location < 0 ? 0 : lines_.at(static_cast<std::size_t>(instruction.location));
            if (steps >= most_steps) throw Unsupported{"a loop without a constant number of iterations", line};
            if (context_.sets().is_time_over()) throw Unsupported{time_is_over, 0};
            try {
                for (State& next : stepper_.step(std::move(state), instruction, line)) push(std::move(next));
            } catch (Unsupported& why) {
                if (why.line == 0) why.line = line;
                throw;
            }
        }
        return std::move(executed_);
    }

private:
    using Place = std::pair<int, int>;  // barriers, instruction: earlier ones first

    State pop() {
        const auto at = waiting_.begin();
        State state = std::move(at->second.back());
        at->second.pop_back();
        if (at->second.empty()) waiting_.erase(at);
        return state;
    }

    void push(State state) {
        forget_dead(state);
        std::vector<State>& here = waiting_[Place{state.barriers, state.at}];
        for (State& other : here)
            if (merge(other, state)) return;
        if (here.size() >= most_waiting) throw Unsupported{"too many ways through the code"};
        here.push_back(std::move(state));
    }

    void forget_dead(State& state) const {
        const std::vector<bool>& live = live_[static_cast<std::size_t>(state.at)];
        for (std::size_t i = 0; i < live.size(); ++i)
            if (!live[i]) state.registers[i] = std::monostate();
    }

    // What is one or the other: an event that cannot have happened in the other state is 0 there.
    Data merged(const Data& a, const Path& path_a, const Data& b, const Path& path_b) const {
        using Arithmetic = Data::Arithmetic;
        // Of bits as they were loaded it shows later what they are; those of a constant are a whole number's.
        const auto may_be_any = [](const Data& one) {
            return one.arithmetic == Arithmetic::none && one.terms.constant() == 0;
        };
        const bool is_one_kind = a.arithmetic == b.arithmetic || may_be_any(a) || may_be_any(b);
        if (!a.is_known || !b.is_known || a.part != b.part || a.parts != b.parts || !is_one_kind) return {};
        const auto is_zero_on = [&](const Path& path, const Monomial& events) {
            return std::any_of(events.begin(), events.end(), [&](int event) {
                Path both = path;
                const Path& other = executed_.events[static_cast<std::size_t>(event)].path;
                both.insert(both.end(), other.begin(), other.end());
                return context_.emptiness(both) == Emptiness::empty;
            });
        };
        Data result = a;
        if (result.arithmetic == Arithmetic::none) result.arithmetic = b.arithmetic;
        const Polynomial difference = a.terms - b.terms;
        for (const auto& [events, factor] : difference.terms()) {
            const bool is_in_a = a.terms.terms().contains(events), is_in_b = b.terms.terms().contains(events);
            if (events.empty() || (is_in_a && is_in_b) || !is_zero_on(is_in_a ? path_b : path_a, events)) return {};
            if (is_in_b) result.terms += Polynomial::of(events, b.terms.terms().at(events));
        }
        return result;
    }

    // Into `a`.
    bool merge(State& a, const State& b) const {
        if (!b.launches.empty() || !a.launches.empty() || a.passed != b.passed) return false;
        std::vector<std::pair<std::size_t, Value>> different;
        for (std::size_t i = 0; i < a.registers.size(); ++i) {
            const Value &one = a.registers[i], &other = b.registers[i];
            if (one == other) continue;
            const bool is_unset =
                std::holds_alternative<std::monostate>(one) || std::holds_alternative<std::monostate>(other);
            const bool has_data = std::holds_alternative<Data>(one) || std::holds_alternative<Data>(other);
            const auto data = data_of(one), other_data = data_of(other);
            if (!is_unset && (!has_data || !data || !other_data)) return false;
            different.emplace_back(i, is_unset ? Value() : merged(*data, a.path, *other_data, b.path));
        }
        for (auto& [i, value] : different) a.registers[i] = std::move(value);
        std::size_t common = 0;
        while (common < a.path.size() && common < b.path.size() && a.path[common] == b.path[common]) ++common;
        const auto rest = [common](const Path& path) {
            return all_of({path.begin() + static_cast<std::ptrdiff_t>(common), path.end()});
        };
        const Condition either = any_of({rest(a.path), rest(b.path)});
        a.path.resize(common);
        if (!context_.holds(a.path, either)) a.path.push_back(either);
        return true;
    }

    Context& context_;
    const ptx::Function& function_;
    std::vector<std::vector<bool>> live_;
    Executed executed_;
    Stepper stepper_;
    std::vector<int> lines_;
    std::map<Place, std::vector<State>> waiting_;
};

}  // namespace

int Data::event() const {
    if (!is_known || parts != 1 || arithmetic != Arithmetic::none || terms.terms().size() != 1) return -1;
    const auto& [events, factor] = *terms.terms().begin();
    return events.size() == 1 && factor == 1 ? events.front() : -1;
}

std::optional<Data> data_of(const Value& value) {
    if (const auto* data = std::get_if<Data>(&value)) return *data;
    const auto* number = std::get_if<Polynomial>(&value);
    if (number == nullptr) return std::nullopt;
    return number->is_constant() ? Data{true, *number, Data::Arithmetic::none} : Data{};
}

std::vector<std::vector<bool>> live_registers(const ptx::Function& function) {
    const std::size_t count = function.body.size();
    std::vector<std::vector<bool>> live(count + 1, std::vector<bool>(function.registers.size()));
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (std::size_t i = count; i-- > 0;) {
            const ptx::Instruction& instruction = function.body[i];
            const bool is_branch = instruction.opcode == "bra";
            const bool ends = instruction.opcode == "ret" || instruction.opcode == "exit";
            std::vector<bool> after(function.registers.size());
            const auto add = [&](std::size_t next) {
                for (std::size_t r = 0; r < after.size(); ++r) after[r] = after[r] || live[next][r];
            };
            if (is_branch && instruction.operands.size() == 1 && instruction.operands[0].index >= 0)
                add(static_cast<std::size_t>(instruction.operands[0].index));
            if ((!is_branch && !ends) || instruction.guard >= 0) add(i + 1);
            std::vector<bool> before = read_by(instruction, std::move(after));
            if (before == live[i]) continue;
            live[i] = std::move(before);
            has_changed = true;
        }
    }
    return live;
}

Executed execute(Context& context, const ptx::Module& module, const ptx::Function& function,
                 const std::map<std::string, Value>& parameters, std::string_view source_file) {
    return Execution(context, module, function, parameters, source_file).run();
}

}  // namespace warpgrade::proof
