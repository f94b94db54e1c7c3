// Suspicious places that no pattern can say, by name. Each gives all that it finds in a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "explain/words.hpp"
#include "source/facts.hpp"

namespace warpgrade::explain {

struct Finding {
    source::NodeId node = source::no_node;  // that it is in
    source::Range at;                       // that the message points to
    Words words;                            // {what}, {other}, {more}, {line}
};

using Finder = std::vector<Finding> (*)(const source::Facts&);
struct FinderRow {
    std::string_view name;
    Finder find;
};
extern const std::vector<FinderRow> finders_of_variables, finders_of_expressions, finders_of_calls;

Finder finder_named(std::string_view name);
std::vector<std::string> finder_names();

}  // namespace warpgrade::explain
