// What a condition is asked about. Internal to explain/.
#pragma once

#include "explain/questions.hpp"
#include "source/numbers.hpp"
#include "source/pattern.hpp"

namespace warpgrade::explain {

struct Place {
    const source::Facts& facts;
    const source::Match& match;
    std::vector<const source::Binding*> of;

    const source::Tree& tree() const { return *facts.tree; }
    source::NodeId node(std::size_t i = 0) const { return of[i]->first; }
    int line() const { return match.at.line; }
    std::string_view name(std::size_t i = 0) const {
        return of[i]->first == source::no_node ? of[i]->word : plain_name(tree(), of[i]->first);
    }
    std::string text(std::size_t i = 0) const {
        return std::string(of[i]->at.line == 0 ? of[i]->word : text_of(tree(), of[i]->at));
    }
};

struct ConditionRow {
    std::string_view name;
    std::size_t count;  // of metavariables
    bool (*test)(const Place&);
};
extern const std::vector<ConditionRow> conditions_of_warnings;

inline std::optional<std::int64_t> number(const Place& place, std::size_t i = 0) {
    return place.node(i) == source::no_node ? std::nullopt
                                            : number_of(place.tree(), place.node(i), place.facts.numbers);
}

}  // namespace warpgrade::explain
