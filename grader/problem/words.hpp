// Words for mistakes that the kit recognises by itself: a problem may have its own.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "problem/description.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

struct KnownMistake {
    std::string name;
    std::vector<std::string> values{};  // what its words may name in {}, besides buffers and extents
};
// Those of a problem with this reference.
const std::vector<KnownMistake>& known_mistakes(ReferenceForm form);

// What the words of every mistake may name: {in}, {out}, {scratch}, and of a matrix {high} and {wide}, its extents.
const std::vector<std::string>& named_in_words();

// Puts the problem's own words in place of the kit's, and names into both.
void put_words(const ProblemDescription& problem, Judgement& judgement);

}  // namespace warpgrade
