// Which part of an array in shared memory a block has stored to when an element is read that it has not.
#pragma once

#include <string>

#include "explain/wording_place.hpp"

namespace warpgrade {

struct StoredText {
    std::string fact;       // "not stored by then: column 0 of `tile`"; "" where nothing is known
    std::string help;       // what follows from it; "" where nothing does
    int line = 0;           // that `help` is about, for certain
    bool asks_who = false;  // it asks which thread should store it
};
StoredText stored_text(const Scene& scene);

// The only line that stores to the array by its name; 0 where there is none, or several.
int only_line_that_stores(const source::Facts& facts, std::string_view name);
// Of lines that store to it, the only one that does not add to what is there: `partial[tid] = in[i]`; 0 as above.
int only_line_that_sets(const source::Facts& facts, std::string_view name);

}  // namespace warpgrade
