#include "ptx/scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.hpp"

namespace warpgrade::ptx {

namespace {

constexpr std::size_t deepest_scope = 64;
constexpr std::int64_t most_registers = 1 << 20;
constexpr std::size_t most_register_digits = 7;
constexpr std::string_view components = "xyzw";

// The number that `digits` writes without leading zeros, or -1.
std::int64_t number_of(std::string_view digits) {
    if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return -1;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc{} && end == digits.data() + digits.size() ? number : -1;
}

// Where the trailing digits of a name start.
std::size_t digits_start(std::string_view name) {
    std::size_t start = name.size();
    while (start > 0 && is_digit(name[start - 1])) --start;
    return start;
}

}  // namespace

Scopes::Scopes(Cursor& cursor, Function& function, const std::unordered_set<std::string_view>& module_names)
    : cursor_(cursor), function_(function), module_names_(module_names) {}

void Scopes::open(const Token& brace) {
    if (scopes_.size() >= deepest_scope) {
        cursor_.fail(brace, fmt::format("braces nested deeper than {}", deepest_scope));
        return;
    }
    scopes_.emplace_back();
    scopes_.back().brace = {brace, cursor_.location_in_force};
}

void Scopes::close() {
    Scope closed = std::move(scopes_.back());
    scopes_.pop_back();
    for (Waiting& waiting : closed.waiting) {
        if (resolve_label(waiting, closed)) continue;
        if (!scopes_.empty()) {
            scopes_.back().waiting.push_back(std::move(waiting));
        } else if (waiting.table != nullptr) {
            cursor_.fail(waiting.reference.at, fmt::format("the label {} is not defined", quoted(waiting.reference.at)),
                         waiting.reference.location);
        } else {
            cursor_.symbol_references.push_back(waiting.reference);
        }
    }
}

bool Scopes::resolve_label(const Waiting& waiting, const Scope& scope) {
    const auto found = scope.labels.find(waiting.reference.at.text);
    if (found == scope.labels.end()) return false;
    const Label& label = found->second;
    if (waiting.table != nullptr) {
        (*waiting.table)[waiting.entry] = label.instruction;
        return label.table.empty();
    }
    Operand& operand = function_.body[static_cast<std::size_t>(waiting.instruction)]
                           .operands[static_cast<std::size_t>(waiting.operand)];
    operand = Operand{};
    operand.kind = Operand::Kind::label;
    operand.index = label.instruction;
    operand.name = label.table;
    return true;
}

std::string Scopes::unique_name(std::string_view name) {
    std::string unique(name);
    const int earlier = used_names_[unique]++;
    if (earlier > 0) unique += fmt::format("#{}", earlier);
    return unique;
}

int Scopes::add_register(std::string_view name, Type type) {
    function_.registers.push_back({unique_name(name), type});
    return static_cast<int>(function_.registers.size()) - 1;
}

void Scopes::add_name(const Token& token, std::string_view name, Name entry) {
    if (cursor_.failed()) return;
    if (!scopes_.back().names.emplace(name, std::move(entry)).second) {
        cursor_.fail(token, fmt::format("{} is declared twice", quoted(token)));
    }
}

void Scopes::declare_registers(const Token& name, Type type, int vector_size, std::int64_t count) {
    if (cursor_.failed()) return;
    if (count >= 0) {
        if (count > most_registers) {
            cursor_.fail(name, fmt::format("{} registers named {}<> are more than the {} supported", count, name.text,
                                           most_registers));
        } else if (vector_size > 1) {
            cursor_.fail(name, "a numbered range of vector registers is not supported");
        } else if (!scopes_.back().ranges.emplace(name.text, Range{count, type}).second) {
            cursor_.fail(name, fmt::format("{} is declared twice", quoted(name)));
        }
        return;
    }
    if (vector_size == 1) {
        add_name(name, name.text, {Name::Kind::reg, -1, 1, type, {}});
        return;
    }
    if (static_cast<std::size_t>(vector_size) > components.size()) {
        cursor_.fail(name, "a vector register of more than four elements is not supported");
        return;
    }
    const int first = static_cast<int>(function_.registers.size());
    for (int i = 0; i < vector_size; ++i) {
        component_names_.push_back(fmt::format("{}.{}", name.text, components[static_cast<std::size_t>(i)]));
        const std::string& component = component_names_.back();
        add_name(name, component, {Name::Kind::reg, add_register(component, type), 1, type, {}});
    }
    add_name(name, name.text, {Name::Kind::vector_reg, first, vector_size, type, {}});
}

void Scopes::declare_variable(const Token& name, Variable variable) {
    if (cursor_.failed()) return;
    if (scopes_.size() > 1 && module_names_.contains(name.text)) used_names_.emplace(name.text, 1);
    variable.name = unique_name(name.text);
    // Such a variable is the module's, and another function may have one of that name; no PTX name has a dot.
    if (variable.space == Space::global || variable.space == Space::constant) variable.name += "." + function_.name;
    add_name(name, name.text, {Name::Kind::variable, -1, 1, variable.type, variable.name});
    function_.variables.push_back(std::move(variable));
}

void Scopes::declare_parameter(const Variable& parameter) {
    if (cursor_.failed()) return;
    ++used_names_[parameter.name];
    scopes_.back().names.emplace(parameter.name, Name{Name::Kind::variable, -1, 1, parameter.type, parameter.name});
}

std::string Scopes::declare_label(const Token& name, bool names_table) {
    if (cursor_.failed()) return {};
    Label label{names_table ? -1 : static_cast<int>(function_.body.size()), names_table ? unique_name(name.text) : ""};
    const std::string table = label.table;
    if (!scopes_.back().labels.emplace(name.text, std::move(label)).second) {
        cursor_.fail(name, fmt::format("the label {} is defined twice", quoted(name)));
    }
    return table;
}

Scopes::Name* Scopes::find_in_ranges(Scope& scope, std::string_view name) {
    if (scope.ranges.empty()) return nullptr;
    const std::size_t shortest = name.size() - std::min(name.size(), most_register_digits);
    for (std::size_t split = std::max(digits_start(name), shortest); split < name.size(); ++split) {
        const auto range = scope.ranges.find(name.substr(0, split));
        if (range == scope.ranges.end()) continue;
        const std::int64_t number = number_of(name.substr(split));
        if (number < 0 || number >= range->second.count) continue;
        const Name entry{Name::Kind::reg, -1, 1, range->second.type, {}};
        return &scope.names.emplace(name, entry).first->second;
    }
    return nullptr;
}

const Scopes::Name* Scopes::find(std::string_view name) {
    for (std::size_t i = scopes_.size(); i-- > 0;) {
        const auto found = scopes_[i].names.find(name);
        Name* entry = found != scopes_[i].names.end() ? &found->second : find_in_ranges(scopes_[i], name);
        if (entry == nullptr) continue;
        if (entry->kind == Name::Kind::reg && entry->index < 0) entry->index = add_register(name, entry->type);
        return entry;
    }
    return nullptr;
}

bool Scopes::is_outside_its_range(std::string_view name) const {
    const std::size_t split = digits_start(name);
    if (split == name.size()) return false;
    for (const Scope& scope : scopes_) {
        if (scope.ranges.contains(name.substr(0, split))) return true;
    }
    return false;
}

Operand Scopes::resolve(const Token& token, std::string_view text, bool& is_known) {
    Operand operand;
    is_known = true;
    if (text == "_") return operand;
    if (const Name* entry = find(text)) {
        switch (entry->kind) {
            case Name::Kind::variable:
                operand.kind = Operand::Kind::symbol;
                operand.name = entry->unique;
                break;
            case Name::Kind::reg:
                operand.kind = Operand::Kind::reg;
                operand.index = entry->index;
                break;
            case Name::Kind::vector_reg:
                operand.kind = Operand::Kind::vector;
                for (int i = 0; i < entry->vector_size; ++i) {
                    operand.elements.emplace_back();
                    operand.elements.back().kind = Operand::Kind::reg;
                    operand.elements.back().index = entry->index + i;
                }
                break;
        }
        return operand;
    }
    operand.name = text;
    if (text.starts_with('%')) {
        if (is_outside_its_range(text)) {
            cursor_.fail(token, fmt::format("the register {} is not declared", quoted(token)));
        }
        operand.kind = Operand::Kind::special;
        return operand;
    }
    operand.kind = Operand::Kind::symbol;
    is_known = false;
    return operand;
}

void Scopes::wait_for_label(const Token& name, int instruction, int operand) {
    scopes_.back().waiting.push_back({{name, cursor_.location_in_force}, instruction, operand, nullptr, 0});
}

void Scopes::wait_for_label(const Token& name, std::vector<int>& table, std::size_t entry) {
    scopes_.back().waiting.push_back({{name, cursor_.location_in_force}, -1, -1, &table, entry});
}

}  // namespace warpgrade::ptx
