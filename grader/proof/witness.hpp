// A shape at which a row may not hold: the smallest that isl finds, and the threads.
//
// Theory of operation. A question (core.hpp, Doubt) is about shapes whose products are unknowns of their own: a point
// of it may be of no shape that there is. So an extent is made known after the other, each the smallest for which isl
// does not find the question empty; with one known, products with it are linear, and with all of them known the
// question is exact. What is found is run before anything is said of it (grade/witness_case.hpp).
#pragma once

#include <optional>

#include "proof/core.hpp"

namespace warpgrade::proof {

// Nothing: there is none, or it was not found within isl's time.
std::optional<Witness> find_witness(const Context& context, Obligation what, const Doubt& doubt);

}  // namespace warpgrade::proof
