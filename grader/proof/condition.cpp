#include "proof/condition.hpp"

#include <utility>

namespace warpgrade::proof {
namespace {

const Condition always{Condition::Kind::all, {}, {}}, never{Condition::Kind::any, {}, {}};

Condition joined(Condition::Kind kind, std::vector<Condition> parts) {
    const bool is_all = kind == Condition::Kind::all;
    Condition result{kind, {}, {}};
    for (Condition& part : parts) {
        if (is_all ? part.is_false() : part.is_true()) return part;
        if (is_all ? part.is_true() : part.is_false()) continue;
        if (part.kind == kind)
            result.parts.insert(result.parts.end(), part.parts.begin(), part.parts.end());
        else
            result.parts.push_back(std::move(part));
    }
    return result.parts.size() == 1 ? Condition(result.parts.front()) : result;
}

}  // namespace

Condition at_least_zero(const Polynomial& value) {
    if (value.is_constant()) return value.constant() >= 0 ? always : never;
    return {Condition::Kind::at_least_zero, value, {}};
}

Condition is_zero(const Polynomial& value) {
    if (value.is_constant()) return value.constant() == 0 ? always : never;
    return {Condition::Kind::is_zero, value, {}};
}

Condition all_of(std::vector<Condition> parts) { return joined(Condition::Kind::all, std::move(parts)); }
Condition any_of(std::vector<Condition> parts) { return joined(Condition::Kind::any, std::move(parts)); }

Path replaced(const Path& path, const std::map<Atom, Polynomial>& by) {
    Path result;
    for (const Condition& condition : path) {
        using Kind = Condition::Kind;
        const Polynomial value = condition.value.replaced(by);
        const Path parts = replaced(condition.parts, by);
        result.push_back(condition.kind == Kind::at_least_zero ? at_least_zero(value)
                         : condition.kind == Kind::is_zero     ? is_zero(value)
                         : condition.kind == Kind::all         ? all_of(parts)
                                                               : any_of(parts));
    }
    return result;
}

Condition opposite(const Condition& condition) {
    using Kind = Condition::Kind;
    switch (condition.kind) {
        case Kind::at_least_zero: return at_least_zero(-condition.value - 1);
        case Kind::is_zero: return any_of({at_least_zero(condition.value - 1), at_least_zero(-condition.value - 1)});
        default: break;
    }
    std::vector<Condition> parts;
    for (const Condition& part : condition.parts) parts.push_back(opposite(part));
    return condition.kind == Kind::all ? any_of(std::move(parts)) : all_of(std::move(parts));
}

}  // namespace warpgrade::proof
