#include "grade/overflow_interpreter.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "grade/exact_value.hpp"

namespace warpgrade {

namespace {

using Value = ExactValue;

struct Frame {
    const ptx::Function* function = nullptr;
    std::vector<Value> registers;
    std::map<std::pair<std::string, std::int64_t>, Value> parameters;  // by name and offset
    int depth = 0;
};

class Walk {
public:
    Walk(const ptx::Module& module, const vgpu::Launch& launch, vgpu::Dim3 block, std::span<const MemoryRange> buffers,
         std::uint64_t& steps)
        : module_(module), launch_(launch), block_(block), buffers_(buffers), steps_(steps) {}

    std::vector<Overflow> run() {
        const ptx::Function* kernel = module_.find(launch_.kernel);
        if (!kernel) return {};
        Frame frame{kernel, std::vector<Value>(kernel->registers.size()), {}, 0};
        std::size_t offset = 0;
        for (const ptx::Variable& parameter : kernel->parameters) {
            const std::uint64_t align = std::max<std::uint64_t>(
                parameter.align_bytes, static_cast<std::uint64_t>(ptx::size_bytes(parameter.type)));
            if (align > 1) offset = (offset + align - 1) / align * align;
            const std::size_t bytes = std::max<std::size_t>(parameter.bytes, 1);
            if (bytes <= 8 && offset + bytes <= launch_.parameters.size())
                frame.parameters[{parameter.name, 0}] = of_bytes(std::span(launch_.parameters).subspan(offset, bytes));
            offset += bytes;
        }
        follow(frame, 0);
        return found_;
    }

    std::vector<Overflow> run_launcher(const std::string& name, std::span<const std::vector<std::byte>> arguments) {
        const ptx::Function* launcher = module_.find(name);
        if (!launcher || launcher->parameters.size() != arguments.size()) return {};
        is_launcher_ = true;
        Frame frame{launcher, std::vector<Value>(launcher->registers.size()), {}, 0};
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (arguments[i].size() <= 8) frame.parameters[{launcher->parameters[i].name, 0}] = of_bytes(arguments[i]);
        follow(frame, 0);
        return found_;
    }

private:
    static Value of_bytes(std::span<const std::byte> bytes) {
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) bits |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
        return known_value(bits, bytes.size() == 4 ? Wide(static_cast<std::int32_t>(bits)) : Wide(bits));
    }

    // False: the thread cannot be followed further.
    bool follow(Frame& frame, int depth) {
        const auto& body = frame.function->body;
        for (std::size_t at = 0; at < body.size();) {
            if (steps_ == 0) return false;
            --steps_;
            const ptx::Instruction& in = body[at];
            ++at;
            if (in.guard >= 0) {
                const Value& guard = frame.registers[static_cast<std::size_t>(in.guard)];
                if (!guard.is_known) {
                    if (in.opcode == "bra" || in.opcode == "ret" || in.opcode == "exit") return false;
                    forget(frame, in);
                    continue;
                }
                if ((guard.bits != 0) == in.guard_negated) continue;
            }
            if (in.opcode == "bra") {
                at = static_cast<std::size_t>(std::max(0, in.operands.at(0).index));
            } else if (in.opcode == "ret") {
                return true;
            } else if (in.opcode == "exit" || in.opcode == "trap" || in.opcode == "brx") {
                return false;
            } else if (in.opcode == "call") {
                if (!call(frame, in, depth)) return false;
            } else {
                step(frame, in);
            }
        }
        return true;
    }

    static const std::string& name_of(const ptx::Operand& operand) {
        return operand.elements.empty() ? operand.name : operand.elements[0].name;
    }

    bool call(Frame& caller, const ptx::Instruction& in, int depth) {
        const ptx::Function* callee = nullptr;
        std::string name;
        std::vector<const ptx::Operand*> tuples;
        for (const ptx::Operand& operand : in.operands) {
            if (operand.kind == ptx::Operand::Kind::tuple) tuples.push_back(&operand);
            if (operand.kind == ptx::Operand::Kind::symbol && !callee) callee = module_.find(name = operand.name);
        }
        constexpr int most_depth = 16;
        if (is_launcher_ && is_of_the_runtime(name)) {
            ask_runtime(caller, name, tuples);
            return true;
        }
        if (!callee || callee->is_declaration || depth > most_depth) {  // what it returns stays unknown
            if (!tuples.empty()) forget_pointed_at(caller, *tuples.back());
            return true;
        }
        const bool returns = !callee->returns.empty();
        const std::size_t of_arguments = returns ? 1 : 0;
        Frame frame{callee, std::vector<Value>(callee->registers.size()), {}, depth + 1};
        if (tuples.size() > of_arguments)
            for (std::size_t i = 0; i < std::min(callee->parameters.size(), tuples[of_arguments]->elements.size()); ++i)
                copy_named(caller, name_of(tuples[of_arguments]->elements[i]), frame, callee->parameters[i].name);
        if (!follow(frame, depth + 1)) return false;
        if (returns && !tuples.empty() && !tuples[0]->elements.empty())
            copy_named(frame, callee->returns[0].name, caller, name_of(tuples[0]->elements[0]));
        return true;
    }

    static bool is_of_the_runtime(const std::string& name) {
        return name.find("GetParameterBufferV2") != name.npos || name.find("LaunchDeviceV2") != name.npos ||
               name.find("__warpgrade_memset") != name.npos;
    }

    // What is handed to it has to be what the launcher meant. A buffer for parameters has an address of its own.
    void ask_runtime(Frame& caller, const std::string& name, const std::vector<const ptx::Operand*>& tuples) {
        if (tuples.empty()) return;
        // The bytes of shared memory are a size_t in the source, and of 32 bits only in what it is compiled to.
        const bool is_buffer = name.find("GetParameterBufferV2") != name.npos;
        const auto& all = tuples.back()->elements;
        for (const ptx::Operand& argument : std::span(all).first(all.size() - (is_buffer ? 1 : 0)))
            for (auto at = caller.parameters.lower_bound({name_of(argument), 0});
                 at != caller.parameters.end() && at->first.first == name_of(argument); ++at)
                report_if_cut(at->second);
        if (name.find("LaunchDeviceV2") != name.npos && !tuples.back()->elements.empty()) {
            const auto buffer = caller.parameters.find({name_of(tuples.back()->elements.front()), 0});
            if (buffer == caller.parameters.end() || !buffer->second.is_known) return;
            for (auto at = memory_.lower_bound(buffer->second.bits);
                 at != memory_.end() && at->first < buffer->second.bits + bytes_of_an_area; ++at)
                report_if_cut(at->second);
        }
        if (!is_buffer || tuples.size() < 2) return;
        const std::uint64_t address = next_area();
        caller.parameters[{name_of(tuples.front()->elements.front()), 0}] = known_value(address, Wide(address));
    }

    // What a call may have stored to a variable.
    void forget_pointed_at(const Frame& caller, const ptx::Operand& arguments) {
        constexpr std::uint64_t most_bytes = 64;
        for (const ptx::Operand& argument : arguments.elements) {
            const auto value = caller.parameters.find({name_of(argument), 0});
            if (value == caller.parameters.end() || !value->second.is_known) continue;
            memory_.erase(memory_.lower_bound(value->second.bits),
                          memory_.lower_bound(value->second.bits + most_bytes));
        }
    }

    // As a number of either sign it is another one.
    void report_if_cut(const Value& value) {
        if (value.is_known && value.origin >= 0 && !is_what_bits_say(value)) report(value);
    }

    std::uint64_t next_area() { return (std::uint64_t{1} << 46) + bytes_of_an_area * areas_++; }

    // Of a variable or a function; the memory of a call is its own.
    std::uint64_t area_of(const Frame& frame, const std::string& name) {
        const auto [known, is_new] = area_of_.try_emplace({name, frame.depth}, 0);
        if (is_new) known->second = next_area();
        return known->second;
    }

    static void copy_named(const Frame& from, const std::string& name, Frame& to, const std::string& as) {
        for (auto at = from.parameters.lower_bound({name, std::numeric_limits<std::int64_t>::min()});
             at != from.parameters.end() && at->first.first == name; ++at)
            to.parameters[{as, at->first.second}] = at->second;
    }

    static void forget(Frame& frame, const ptx::Instruction& in) {
        if (in.operands.empty() || in.opcode == "st" || in.opcode == "red") return;
        const auto drop = [&](const ptx::Operand& operand) {
            if (operand.kind == ptx::Operand::Kind::reg) frame.registers[static_cast<std::size_t>(operand.index)] = {};
        };
        drop(in.operands[0]);
        for (const ptx::Operand& element : in.operands[0].elements) drop(element);
    }

    Value special(const std::string& name) const {
        if (name == "%laneid" || name == "%warpid") return known_value(0, 0);
        const std::pair<std::string_view, vgpu::Dim3> places[]{
            {"%tid.", {0, 0, 0}}, {"%ntid.", launch_.block}, {"%ctaid.", block_}, {"%nctaid.", launch_.grid}};
        for (const auto& [stem, dim] : places)
            if (name.starts_with(stem)) {
                const auto value = name.back() == 'x' ? dim.x : name.back() == 'y' ? dim.y : dim.z;
                return known_value(value, value);
            }
        return {};
    }

    Value value_of(const Frame& frame, const ptx::Operand& operand, ptx::Type type) {
        switch (operand.kind) {
            case ptx::Operand::Kind::symbol: {
                if (!is_launcher_) return {};
                const std::uint64_t address = area_of(frame, operand.name) + static_cast<std::uint64_t>(operand.offset);
                return known_value(address, Wide(address));
            }
            case ptx::Operand::Kind::reg: {
                Value value = frame.registers[static_cast<std::size_t>(operand.index)];
                if (operand.negated) value.bits = value.bits == 0;
                return value;
            }
            case ptx::Operand::Kind::special: return special(operand.name);
            case ptx::Operand::Kind::integer:
                return known_value(cut_to(type, operand.bits), static_cast<std::int64_t>(operand.bits));
            default: return {};
        }
    }

    void set(Frame& frame, const ptx::Operand& to, const Value& value) {
        if (to.kind == ptx::Operand::Kind::reg) frame.registers[static_cast<std::size_t>(to.index)] = value;
    }

    // The result of arithmetic: where it outgrows 32 bits for the first time, that is where it comes from.
    Value result(const Frame& frame, const ptx::Instruction& in, ptx::Type type, Wide exact, std::uint64_t bits,
                 int origin) {
        constexpr Wide far = Wide(1) << 100;
        if (exact > far || exact < -far) exact = read_as(type, bits), origin = -1;
        if (origin < 0 && ptx::size_bytes(type) == 4 && exact > std::numeric_limits<std::int32_t>::max()) {
            origin = static_cast<int>(overflows_.size());
            overflows_.push_back(
                {frame.function, in.location, static_cast<std::int64_t>(exact), static_cast<std::int32_t>(bits)});
        }
        Value value = known_value(cut_to(type, bits), exact);
        value.origin = origin;
        return value;
    }

    void report(const Value& value) {
        if (value.origin < 0) return;
        const Overflow& one = overflows_[static_cast<std::size_t>(value.origin)];
        if (std::ranges::none_of(found_, [&](const Overflow& known) {
                return known.function == one.function && known.location == one.location;
            }))
            found_.push_back(one);
    }

    void step(Frame& frame, const ptx::Instruction& in) {
        const std::string& op = in.opcode;
        if (op == "ld" || op == "st" || op == "atom" || op == "red" || op == "cp") return access(frame, in);
        const auto [from_type, last] = types_of(in);
        if (in.operands.size() < 2 || in.operands[0].kind != ptx::Operand::Kind::reg) return forget(frame, in);
        const ptx::Operand& to = in.operands[0];
        if (op == "mov" || op == "cvta") {
            Value value = value_of(frame, in.operands[1], last);
            if (last == ptx::Type::pred) value.bits = value.bits != 0;
            return set(frame, to, value);
        }
        if (op == "setp") return compare(frame, in, last);
        if (last == ptx::Type::pred)
            return set(frame, to,
                       logic(op, value_of(frame, in.operands[1], last),
                             in.operands.size() > 2 ? value_of(frame, in.operands[2], last) : known_value(0, 0)));
        if (!is_whole(last)) return forget(frame, in);
        if (op == "selp") {
            const Value which = value_of(frame, in.operands.at(3), ptx::Type::pred);
            return set(frame, to,
                       which.is_known ? value_of(frame, in.operands[which.bits != 0 ? 1 : 2], last) : Value{});
        }
        if (op == "cvt") return set(frame, to, converted(frame, in, from_type, last));
        arithmetic(frame, in, last);
    }

    Value converted(const Frame& frame, const ptx::Instruction& in, ptx::Type to, ptx::Type from) {
        const Value value = value_of(frame, in.operands[1], from);
        if (!value.is_known || !is_whole(to)) return {};
        const Wide read = read_as(from, value.bits);
        const auto bits = cut_to(to, static_cast<std::uint64_t>(read));
        // What is cut down to 32 bits counts as computed in them.
        if (ptx::size_bytes(to) == 4 && ptx::size_bytes(from) == 8)
            return result(frame, in, to, value.exact, bits, value.origin);
        Value converted = value;
        converted.bits = bits;
        // Differences of unsigned numbers may wrap on purpose.
        if (value.exact < 0 || value.origin < 0) converted.exact = read_as(to, bits), converted.origin = -1;
        return converted;
    }

    void compare(Frame& frame, const ptx::Instruction& in, ptx::Type type) {
        if (in.operands.size() != 3 || in.modifiers.size() != 2 || !is_whole(type)) return forget(frame, in);
        const Value a = value_of(frame, in.operands[1], type), b = value_of(frame, in.operands[2], type);
        if (!a.is_known || !b.is_known) return forget(frame, in);
        const std::string& how = in.modifiers[0];
        const bool is_so = holds(how, read_as(type, a.bits), read_as(type, b.bits));
        if ((a.origin >= 0 || b.origin >= 0) && holds(how, a.exact, b.exact) != is_so) report(a.origin >= 0 ? a : b);
        set(frame, in.operands[0], known_value(is_so, is_so));
    }

    void arithmetic(Frame& frame, const ptx::Instruction& in, ptx::Type type) {
        std::vector<Value> from;
        int origin = -1;
        for (std::size_t i = 1; i < in.operands.size(); ++i) {
            from.push_back(value_of(frame, in.operands[i], type));
            if (!from.back().is_known) return forget(frame, in);
            origin = std::max(origin, from.back().origin);
        }
        const Value sum = from.size() == 3 ? value_of(frame, in.operands[3], widened(type)) : Value{};
        const auto made = computed(in, type, std::move(from), sum);
        if (!made) return forget(frame, in);
        const auto bits = static_cast<std::uint64_t>(made->found);
        set(frame, in.operands[0],
            made->may_outgrow ? result(frame, in, made->type, made->exact, bits, origin) : as_it_is(type, bits));
    }

    void access(Frame& frame, const ptx::Instruction& in) {
        const bool is_store = in.opcode == "st" || in.opcode == "red";
        const std::size_t place = is_store ? 0 : 1;
        if (in.operands.size() <= place || in.operands[place].elements.empty()) return forget(frame, in);
        const ptx::Operand& address = in.operands[place];
        const ptx::Operand& base = address.elements[0];
        if (ptx::has_word(in, "param") && base.kind == ptx::Operand::Kind::symbol) {
            const std::pair key{base.name, address.offset + base.offset};
            const ptx::Type type = ptx::last_type(in);
            if (is_store) {
                frame.parameters[key] = value_of(frame, in.operands[1], type);
            } else {
                const auto found = frame.parameters.find(key);
                set(frame, in.operands[0], found == frame.parameters.end() ? Value{} : found->second);
            }
            return;
        }
        if (is_launcher_) return access_own_memory(frame, in, address, is_store);
        if (base.kind == ptx::Operand::Kind::reg) {
            const Value value = frame.registers[static_cast<std::size_t>(base.index)];
            const Wide exact = value.exact + address.offset;
            const bool is_apart =
                value.is_known && value.origin >= 0 && static_cast<std::uint64_t>(value.exact) != value.bits;
            const auto holds = [&](const MemoryRange& range) {
                return exact >= Wide(range.first) && exact < Wide(range.first) + Wide(range.bytes);
            };
            if (is_apart && std::ranges::any_of(buffers_, holds)) report(value);
        }
        forget(frame, in);
    }

    // Of a launcher: its local variables, and the parameters of what it launches.
    void access_own_memory(Frame& frame, const ptx::Instruction& in, const ptx::Operand& address, bool is_store) {
        const Value base = value_of(frame, address.elements[0], ptx::Type::u64);
        const bool is_plain = base.is_known && in.operands.size() > 1 && (in.opcode == "ld" || in.opcode == "st");
        const std::uint64_t place = base.bits + static_cast<std::uint64_t>(address.offset + address.elements[0].offset);
        if (is_plain && is_store) {
            memory_[place] = value_of(frame, in.operands[1], ptx::last_type(in));  // of a vector: not known
            return;
        }
        if (!is_plain || is_store || in.operands[0].kind != ptx::Operand::Kind::reg) return forget(frame, in);
        const auto found = memory_.find(place);
        set(frame, in.operands[0], found == memory_.end() ? Value{} : found->second);
    }

    static constexpr std::uint64_t bytes_of_an_area = 1 << 20;

    const ptx::Module& module_;
    const vgpu::Launch& launch_;
    vgpu::Dim3 block_;
    std::span<const MemoryRange> buffers_;
    std::uint64_t& steps_;
    std::vector<Overflow> overflows_;
    std::vector<Overflow> found_;
    bool is_launcher_ = false;
    std::map<std::uint64_t, Value> memory_;
    std::map<std::pair<std::string, int>, std::uint64_t> area_of_;
    std::uint64_t areas_ = 0;
};

}  // namespace

std::vector<Overflow> find_overflows(const ptx::Module& module, const vgpu::Launch& launch, vgpu::Dim3 block,
                                     std::span<const MemoryRange> buffers, std::uint64_t& steps) {
    return Walk(module, launch, block, buffers, steps).run();
}

std::vector<Overflow> find_launcher_overflows(const ptx::Module& module, const std::string& launcher,
                                              std::span<const std::vector<std::byte>> arguments, std::uint64_t& steps) {
    const vgpu::Launch none;
    return Walk(module, none, {}, {}, steps).run_launcher(launcher, arguments);
}

}  // namespace warpgrade
