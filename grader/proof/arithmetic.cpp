// What instructions compute: Stepper's other half.
#include <algorithm>
#include <bit>
#include <cmath>

#include "proof/state.hpp"

namespace warpgrade::proof {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::Type;

bool is_word(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_signed(Type type) { return is_word(ptx::name(type), {"s8", "s16", "s32", "s64"}); }
bool is_float(Type type) { return is_word(ptx::name(type), {"f16", "f16x2", "bf16", "bf16x2", "f32", "f64"}); }
int bits_of(Type type) { return 8 * ptx::size_bytes(type); }
Type unsigned_of(Type type) { return bits_of(type) == 64 ? Type::u64 : bits_of(type) == 32 ? Type::u32 : Type::u16; }
Integer power_of_two(int bits) { return Integer{1} << bits; }

[[noreturn]] void not_known(const Instruction& instruction) {
    throw Unsupported{"the instruction " + ptx::full_name(instruction)};
}

// What it makes of loaded values is not followed.
bool is_computation(const std::string& opcode) {
    return is_word(opcode, {"add",  "sub", "mul",   "fma", "mad",  "div",  "rem", "neg",  "abs", "min", "max",
                            "sqrt", "rcp", "rsqrt", "cvt", "and",  "or",   "xor", "not",  "shl", "shr", "copysign",
                            "ex2",  "lg2", "sin",   "cos", "setp", "popc", "clz", "brev", "bfe", "bfi", "prmt"});
}

// 2^k for a mask of k ones; nothing of other constants.
std::optional<Integer> power_after(Integer mask) {
    const Integer next = mask + 1;
    return mask > 0 && (next & mask) == 0 ? std::optional(next) : std::nullopt;
}

}  // namespace

Value Stepper::special(const std::string& name) const {
    const auto dot = name.find('.');
    if (dot != std::string::npos && dot + 2 == name.size() && name[dot + 1] >= 'x' && name[dot + 1] <= 'z') {
        const auto axis = static_cast<std::size_t>(name[dot + 1] - 'x');
        const std::string word = name.substr(0, dot);
        if (word == "%tid") return context_.thread_index()[axis];
        if (word == "%ctaid") return context_.block_index()[axis];
        if (word == "%ntid") return Polynomial(context_.block()[axis]);
        if (word == "%nctaid") return context_.grid()[axis];
    }
    throw Unsupported{"the register " + name};
}

Value Stepper::of(const State& state, const Operand& operand) const {
    using Kind = Operand::Kind;
    switch (operand.kind) {
        case Kind::reg: {
            const Value& value = state.registers.at(static_cast<std::size_t>(operand.index));
            if (std::holds_alternative<std::monostate>(value)) throw Unsupported{"a value that is not known"};
            if (!operand.negated) return value;
            const auto* condition = std::get_if<Condition>(&value);
            return condition != nullptr ? Value(opposite(*condition)) : Value(Data{});
        }
        case Kind::special: return special(operand.name);
        case Kind::integer: return Polynomial(static_cast<std::int64_t>(operand.bits));
        case Kind::f32: {
            const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits));
            const bool is_whole = std::abs(value) < 1 << 24 && value == std::floor(value);
            const auto arithmetic = operand.bits == 0 ? Data::Arithmetic::none : Data::Arithmetic::real;
            return is_whole ? Data{true, Polynomial(static_cast<Integer>(value)), arithmetic} : Data{};
        }
        case Kind::f64: return Data{};
        case Kind::symbol: {
            const auto& shared = executed_.shared;
            for (std::size_t i = 0; i < shared.size(); ++i) {
                if (shared[i].name != operand.name) continue;
                std::size_t place = i;  // all dynamic arrays begin at one address
                for (std::size_t j = 0; shared[i].bytes == 0 && shared[place].bytes == 0 && j < place; ++j)
                    if (shared[j].bytes == 0) place = j;
                return Pointer{static_cast<int>(place), true, Polynomial(operand.offset)};
            }
            const ptx::Function* const function = module_.find(operand.name);
            if (function != nullptr && function->is_entry) return KernelName{function->name};
            break;
        }
        default: break;
    }
    throw Unsupported{operand.name.empty() ? "an operand of another form" : "the variable " + operand.name};
}

void Stepper::set(State& state, const Operand& target, Value value) const {
    if (target.kind == Operand::Kind::sink) return;
    if (target.kind != Operand::Kind::reg) throw Unsupported{"a result of another form"};
    state.registers.at(static_cast<std::size_t>(target.index)) = std::move(value);
}

Polynomial Stepper::read(const State& state, const Polynomial& value, Type type) {
    const int bits = bits_of(type);
    if (bits == 0 || is_float(type) || bits > 64) throw Unsupported{"a number of another type"};
    const Integer low = is_signed(type) ? -power_of_two(bits - 1) : 0, high = low + power_of_two(bits) - 1;
    if (value.is_constant())
        return value.constant() - rounded_down(value.constant() - low, power_of_two(bits)) * power_of_two(bits);
    if (is_block_index(value) && bits >= 32) return value;
    if (executed_.fits.empty() || executed_.fits.back().value != value || executed_.fits.back().low != low ||
        executed_.fits.back().high != high || executed_.fits.back().path != state.path)
        executed_.fits.push_back({value, low, high, state.path, line_});
    return value;
}

bool Stepper::is_block_index(const Polynomial& value) const {
    const auto& indices = context_.block_index();
    return !value.is_constant() && std::find(indices.begin(), indices.end(), value) != indices.end();
}

Value Stepper::computed(const State& state, const Instruction& instruction) {
    const std::string& opcode = instruction.opcode;
    std::vector<Value> values;
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) values.push_back(of(state, instruction.operands[i]));
    if (values.empty()) not_known(instruction);
    if (is_word(opcode, {"mov", "cvta"})) return values.front();
    const bool has_data =
        std::any_of(values.begin(), values.end(), [](const Value& one) { return std::holds_alternative<Data>(one); });
    if (has_data || is_float(ptx::last_type(instruction))) {
        if (!is_computation(opcode)) not_known(instruction);
        return computed_data(instruction, values);
    }
    if (opcode == "setp") {
        if (values.size() != 2 || instruction.modifiers.size() != 2) not_known(instruction);
        return compared(state, instruction, values[0], values[1]);
    }
    if (std::holds_alternative<Condition>(values.front())) return logical(instruction, values);
    if (const auto* either = std::get_if<SignOfEither>(&values.front()); either != nullptr && opcode == "and") {
        const auto* mask = values.size() == 2 ? std::get_if<Polynomial>(&values[1]) : nullptr;
        if (mask == nullptr || !mask->is_constant() || mask->constant() >= 0 || !power_after(-mask->constant() - 1))
            not_known(instruction);
        return SignOfEither{either->values, -mask->constant()};
    }
    std::vector<Polynomial> numbers;
    for (const Value& value : values) {
        if (std::holds_alternative<Pointer>(value)) return with_pointer(state, instruction, values);
        const auto* number = std::get_if<Polynomial>(&value);
        if (number == nullptr) not_known(instruction);
        numbers.push_back(*number);
    }
    return whole(state, instruction, numbers);
}

// Sums and products of 32 bits; of other computations nothing is known.
Data Stepper::computed_data(const Instruction& instruction, const std::vector<Value>& values) const {
    using Arithmetic = Data::Arithmetic;
    const Type type = ptx::last_type(instruction);
    const bool is_real = type == Type::f32, is_whole = type == Type::u32 || type == Type::s32 || type == Type::b32;
    for (const std::string& modifier : instruction.modifiers)
        if (!is_word(modifier, {"rn", "ftz", "lo"}) && ptx::type_named(modifier) != type) return {};
    Data result{true, {}, is_real ? Arithmetic::real : Arithmetic::whole};
    std::vector<Polynomial> terms;
    for (const Value& value : values) {
        const auto data = data_of(value);
        if ((!is_real && !is_whole) || !data || !data->is_known || data->parts != 1) return {};
        if (data->arithmetic != Arithmetic::none && data->arithmetic != result.arithmetic) return {};
        for (const auto& [events, factor] : data->terms.terms())
            for (const Atom event : events)
                if (executed_.events[static_cast<std::size_t>(event)].width_bytes != 4) return {};
        // The bits of a whole number are those of a float only if it is 0.
        if (is_real && data->arithmetic == Arithmetic::none && data->terms.constant() != 0) return {};
        terms.push_back(data->terms);
    }
    const std::string& opcode = instruction.opcode;
    try {
        if (opcode == "add" && terms.size() == 2)
            result.terms = terms[0] + terms[1];
        else if (opcode == "sub" && terms.size() == 2)
            result.terms = terms[0] - terms[1];
        else if (opcode == "mul" && terms.size() == 2)
            result.terms = terms[0] * terms[1];
        else if (is_word(opcode, {"fma", "mad"}) && terms.size() == 3)
            result.terms = terms[0] * terms[1] + terms[2];
        else if (opcode == "neg" && terms.size() == 1)
            result.terms = -terms[0];
        else
            return {};
    } catch (const Unsupported&) {
        return {};
    }
    return result;
}

Value Stepper::compared(const State& state, const Instruction& instruction, const Value& a, const Value& b) {
    const std::string& how = instruction.modifiers.front();
    const Type type = ptx::last_type(instruction);
    const bool is_equal = how == "eq", is_other = how == "ne";
    // In shared memory an array may begin at address 0.
    const auto* pointer = std::get_if<Pointer>(&a);
    const bool is_pointer = (pointer != nullptr && !pointer->is_shared) || std::holds_alternative<ArgumentBuffer>(a);
    if (is_pointer && (is_equal || is_other) && b == Value(Polynomial()))
        return is_other ? all_of({}) : any_of({});  // buffers are somewhere
    const auto* y = std::get_if<Polynomial>(&b);
    if (const auto* either = std::get_if<SignOfEither>(&a)) {
        if (either->low != 0) {
            if (y == nullptr || *y != Polynomial() || (!is_equal && !is_other)) not_known(instruction);
            std::vector<Condition> small;
            for (const Polynomial& value : either->values)
                small.push_back(within(read(state, value, unsigned_of(type)), 0, either->low - 1));
            const Condition are_small = all_of(std::move(small));
            return is_equal ? are_small : opposite(are_small);
        }
        const bool is_with_zero = y != nullptr && *y == Polynomial() && is_word(how, {"lt", "ge"});
        const bool is_with_minus_one = y != nullptr && *y == Polynomial(-1) && is_word(how, {"le", "gt"});
        if (!is_signed(type) || (!is_with_zero && !is_with_minus_one)) not_known(instruction);
        std::vector<Condition> neither;
        for (const Polynomial& value : either->values) neither.push_back(at_least_zero(read(state, value, type)));
        const Condition is_positive = all_of(std::move(neither));
        return is_word(how, {"ge", "gt"}) ? is_positive : opposite(is_positive);
    }
    const auto* x = std::get_if<Polynomial>(&a);
    if (x == nullptr || y == nullptr || bits_of(type) == 0) not_known(instruction);
    if (is_equal || is_other) {
        const Type read_as = is_word(ptx::name(type), {"b32"})   ? Type::s32
                             : is_word(ptx::name(type), {"b64"}) ? Type::s64
                             : is_word(ptx::name(type), {"b16"}) ? Type::s16
                                                                 : type;
        const Condition same = is_zero(read(state, *x, read_as) - read(state, *y, read_as));
        return is_equal ? same : opposite(same);
    }
    const bool is_less = is_word(how, {"lt", "lo", "ge", "hs"});  // or the opposite of it
    if (!is_less && !is_word(how, {"le", "ls", "gt", "hi"})) not_known(instruction);
    const bool is_turned = is_word(how, {"ge", "hs", "gt", "hi"});
    const auto less = [is_less](const Polynomial& p, const Polynomial& q) {
        return at_least(q - (is_less ? 1 : 0), p);
    };
    Condition result;
    // (unsigned)x < y for a y that is not negative: a negative x is large.
    const Integer middle = power_of_two(bits_of(type) - 1);
    if (!is_signed(type) && !x->is_constant() && !context_.holds(state.path, at_least_zero(*x)) &&
        context_.holds(state.path, within(*y, 0, middle - 1))) {
        const Type twin = bits_of(type) == 64 ? Type::s64 : bits_of(type) == 32 ? Type::s32 : Type::s16;
        result = all_of({at_least_zero(read(state, *x, twin)), less(*x, *y)});
    } else {
        result = less(read(state, *x, type), read(state, *y, type));
    }
    return is_turned ? opposite(result) : result;
}

Value Stepper::logical(const Instruction& instruction, const std::vector<Value>& values) const {
    std::vector<Condition> parts;
    for (const Value& value : values) {
        const auto* part = std::get_if<Condition>(&value);
        const auto* number = std::get_if<Polynomial>(&value);
        if (part == nullptr && (number == nullptr || !number->is_constant())) not_known(instruction);
        parts.push_back(part != nullptr ? *part : number->constant() != 0 ? all_of({}) : any_of({}));
    }
    if (instruction.opcode == "not" && parts.size() == 1) return opposite(parts[0]);
    if (parts.size() != 2) not_known(instruction);
    if (instruction.opcode == "and") return all_of(parts);
    if (instruction.opcode == "or") return any_of(parts);
    if (instruction.opcode == "xor")
        return any_of({all_of({parts[0], opposite(parts[1])}), all_of({opposite(parts[0]), parts[1]})});
    not_known(instruction);
}

// A pointer plus or minus a number.
Value Stepper::with_pointer(const State& state, const Instruction& instruction, const std::vector<Value>& values) {
    const bool is_sum = is_word(instruction.opcode, {"add", "mad"}), is_difference = instruction.opcode == "sub";
    std::vector<Polynomial> numbers;
    std::optional<Pointer> base;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto* pointer = std::get_if<Pointer>(&values[i]);
        const auto* number = std::get_if<Polynomial>(&values[i]);
        const bool may_be_here = is_sum ? instruction.opcode == "add" || i == 2 : is_difference && i == 0;
        if (pointer != nullptr && !base && may_be_here) {
            base = *pointer;
            numbers.emplace_back();
        } else if (number != nullptr) {
            numbers.push_back(*number);
        } else {
            throw Unsupported{"an address in " + ptx::full_name(instruction)};
        }
    }
    const Value moved = whole(state, instruction, numbers);
    base->offset += std::get<Polynomial>(moved);
    return *base;
}

Value Stepper::whole(const State& state, const Instruction& instruction, const std::vector<Polynomial>& values) {
    const std::string& opcode = instruction.opcode;
    const Type type = ptx::last_type(instruction);
    const bool has_two = values.size() == 2;
    // Carries, saturation and pairs in one register are not arithmetic modulo 2^width.
    for (const std::string& modifier : instruction.modifiers)
        if (ptx::type_named(modifier) == Type::none && !is_word(modifier, {"lo", "hi", "wide"})) not_known(instruction);
    if (opcode == "add" && has_two) return values[0] + values[1];
    if (opcode == "sub" && has_two) return values[0] - values[1];
    if (opcode == "neg") return -values[0];
    if (opcode == "mul" && has_two) return multiplied(state, instruction, values);
    if (opcode == "mad" && values.size() == 3) return multiplied(state, instruction, values) + values[2];
    if (opcode == "cvt") return converted(state, instruction, values[0]);
    if (opcode == "div" && has_two) return divided(state, type, values, false);
    if (opcode == "rem" && has_two) return divided(state, type, values, true);
    if (is_word(opcode, {"shl", "shr"}) && has_two && values[1].is_constant()) {
        const Polynomial distance = read(state, values[1], Type::u32);  // whatever has wrapped
        if (opcode == "shr") return shifted_right(state, type, values[0], distance);
        return distance.constant() >= bits_of(type)
                   ? Polynomial()
                   : values[0] * Polynomial(power_of_two(static_cast<int>(distance.constant())));
    }
    return bitwise(state, instruction, values);
}

Polynomial Stepper::multiplied(const State& state, const Instruction& instruction,
                               const std::vector<Polynomial>& values) {
    const Type type = ptx::last_type(instruction);
    if (ptx::has_word(instruction, "lo")) return context_.with_flat(values[0] * values[1]);
    const Polynomial product = read(state, values[0], type) * read(state, values[1], type);
    if (ptx::has_word(instruction, "wide")) return product;
    if (!ptx::has_word(instruction, "hi")) not_known(instruction);
    return context_.quotient(product, power_of_two(bits_of(type)), state.path);
}

// What is wider is filled up by its sign or by zeros, for which its value must be known; what is narrower loses bits,
// which changes nothing modulo 2^width.
Polynomial Stepper::converted(const State& state, const Instruction& instruction, const Polynomial& value) {
    std::vector<Type> types;
    for (const std::string& modifier : instruction.modifiers) {
        if (ptx::type_named(modifier) == Type::none) not_known(instruction);
        types.push_back(ptx::type_named(modifier));
    }
    if (types.size() != 2 || is_float(types[0])) not_known(instruction);
    const auto target = static_cast<std::size_t>(instruction.operands.front().index);
    const int register_bits = bits_of(function_.registers.at(target).type);
    if (bits_of(types[0]) < register_bits) return read(state, read(state, value, types[1]), types[0]);
    return bits_of(types[0]) > bits_of(types[1]) ? read(state, value, types[1]) : value;
}

Polynomial Stepper::shifted_right(const State& state, Type type, const Polynomial& value, const Polynomial& distance) {
    if (distance.constant() >= bits_of(type)) throw Unsupported{"a shift by all bits"};
    const Integer divisor = power_of_two(static_cast<int>(distance.constant()));
    if (is_signed(type) || value.is_constant()) return context_.quotient(read(state, value, type), divisor, state.path);
    const Type unsigned_type = unsigned_of(type);
    if (context_.holds(state.path, at_least_zero(value)))
        return context_.quotient(read(state, value, unsigned_type), divisor, state.path);
    const Polynomial high = value + power_of_two(bits_of(type));
    if (!context_.holds(state.path, at_least_zero(-value - 1))) throw Unsupported{"a shift of what may be negative"};
    return context_.quotient(read(state, high, unsigned_type), divisor, state.path);
}

Polynomial Stepper::divided(const State& state, Type type, const std::vector<Polynomial>& values, bool is_remainder) {
    const Polynomial n = read(state, values[0], type), d = read(state, values[1], type);
    const bool is_positive = is_block_index(n) ? context_.holds(state.path, at_least(d, 1))
                                               : context_.holds(state.path, all_of({at_least_zero(n), at_least(d, 1)}));
    if (!is_positive) throw Unsupported{"a division of what may be negative, or by what may not be positive"};
    const Polynomial quotient = context_.quotient(n, d, state.path);
    return is_remainder ? n - context_.with_flat(quotient * d) : quotient;
}

Value Stepper::bitwise(const State& state, const Instruction& instruction, const std::vector<Polynomial>& values) {
    const std::string& opcode = instruction.opcode;
    const bool is_or = opcode == "or", is_and = opcode == "and", is_xor = opcode == "xor";
    if (opcode == "not" && values.size() == 1) return -values[0] - 1;
    if (values.size() != 2 || (!is_or && !is_and && !is_xor)) not_known(instruction);
    const bool is_first = values[0].is_constant();
    const Polynomial &value = values[is_first ? 1 : 0], &other = values[is_first ? 0 : 1];
    if (value.is_constant()) {
        const Integer a = value.constant(), b = other.constant();
        return Polynomial(is_or ? (a | b) : is_and ? (a & b) : (a ^ b));
    }
    if (!other.is_constant()) {
        if (is_or) return SignOfEither{{value, other}, 0};
        not_known(instruction);
    }
    const Integer mask = other.constant();
    if (is_xor && mask == -1) return -value - 1;
    if (is_and && power_after(mask)) {
        const Integer size = *power_after(mask);
        return value - context_.quotient(value, size, state.path) * Polynomial(size);
    }
    if (is_and && mask < 0 && power_after(-mask - 1))
        return context_.quotient(value, -mask, state.path) * Polynomial(-mask);
    if (is_or && mask >= 0) {
        Integer size = 1;
        while (size <= mask) size *= 2;
        if (value.divided(size)) return value + mask;
    }
    not_known(instruction);
}

}  // namespace warpgrade::proof
