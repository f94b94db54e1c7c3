// Questions about a line or a name.
#include <algorithm>

#include "source/facts.hpp"

namespace warpgrade::source {

namespace {

const Around* around(const Facts& facts, int line) {
    return line > 0 && static_cast<std::size_t>(line) < facts.around_line.size()
               ? &facts.around_line[static_cast<std::size_t>(line)]
               : nullptr;
}

template <class T>
const T* fact_at(const std::vector<T>& all, int index) {
    return index < 0 ? nullptr : &all[static_cast<std::size_t>(index)];
}

}  // namespace

const Function* Facts::function_at(int line) const {
    const Around* const here = around(*this, line);
    return here ? fact_at(functions, here->function) : nullptr;
}
const Loop* Facts::loop_at(int line) const {
    const Around* const here = around(*this, line);
    return here ? fact_at(loops, here->loop) : nullptr;
}
const Guard* Facts::guard_at(int line) const {
    const Around* const here = around(*this, line);
    return here ? fact_at(guards, here->guard) : nullptr;
}

std::span<const Access> Facts::accesses_on(int line) const {
    if (!around(*this, line)) return {};
    const std::size_t begin = first_access[static_cast<std::size_t>(line)],
                      end = first_access[static_cast<std::size_t>(line) + 1];
    return std::span(accesses).subspan(begin, end - begin);
}

const Function* Facts::function_named(std::string_view name) const {
    const auto found = std::ranges::find_if(functions, [&](const Function& function) { return function.name == name; });
    return found == functions.end() ? nullptr : &*found;
}

const Definition* Facts::declaration_of(std::string_view name, int line) const {
    const auto known = definitions_by_name.find(name);
    if (known == definitions_by_name.end()) return nullptr;
    const Definition* found = nullptr;
    for (const std::uint32_t index : known->second) {
        const Definition& definition = definitions[index];
        if (definition.kind <= DefinitionKind::declared && definition.at.line <= line && line <= definition.scope_end)
            found = &definition;
    }
    return found;
}

const Definition* Facts::definition_before(std::string_view name, int line) const {
    const auto known = definitions_by_name.find(name);
    const Around* const here = around(*this, line);
    if (known == definitions_by_name.end() || !here) return nullptr;
    const Definition* found = nullptr;
    for (const std::uint32_t index : known->second) {
        const Definition& definition = definitions[index];
        const bool is_seen = definition.around.function == here->function || definition.around.function < 0;
        if (is_seen && definition.at.line < line) found = &definition;
    }
    return found;
}

std::vector<const Guard*> Facts::guards_before(int line) const {
    std::vector<const Guard*> found;
    if (!around(*this, line)) return found;
    NodeId node = statement_line[static_cast<std::size_t>(line)];
    for (; node != no_node && (*tree)[node].kind != NodeKind::function; node = (*tree)[node].parent) {
        const NodeId parent = (*tree)[node].parent;
        if (parent == no_node) break;
        if ((*tree)[parent].kind == NodeKind::block) {
            std::vector<const Guard*> exits;
            for (NodeId other = (*tree)[parent].child; other != node; other = (*tree)[other].next) {
                const Guard* const guard =
                    (*tree)[other].kind == NodeKind::if_statement ? fact_at(guards, around_node[other].guard) : nullptr;
                if (guard && guard->exit != Exit::none) exits.push_back(guard);
            }
            found.insert(found.end(), exits.rbegin(), exits.rend());
        }
        if ((*tree)[parent].kind == NodeKind::if_statement && child_of(*tree, parent) != node)
            found.push_back(fact_at(guards, around_node[parent].guard));
    }
    return found;
}

}  // namespace warpgrade::source
