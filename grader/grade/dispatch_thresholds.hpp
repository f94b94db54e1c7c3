// Sizes from which on a launcher does something else.
//
// Theory of operation. A launcher may take another kernel, or a larger tile, from some size on, where no checked shape
// is. Interpreting it alone takes microseconds, so it is asked about many sizes: powers of two, the numbers in its
// code, and what lies beside them. The pieces of its code that run, and the kernels and blocks that are launched, name
// its way. For a way that no checked shape took, the smallest shape that takes it is searched by bisection; that one
// and its neighbour below the threshold are worth a check. The launcher has to be compiled without optimisation: there
// `a ? b : c` and `min` are branches too.
#pragma once

#include <vector>

#include "run/cases.hpp"

namespace warpgrade {

struct UncheckedDispatch {
    Shape shape;                // the smallest that was found to take it
    std::vector<Shape> beside;  // its neighbours on the other side of the threshold
};

// In order of size. `bench`: not optimised; `checked`: shapes whose output is compared; `most`: the largest ones that
// are timed, which bound the sizes. Error: host or kit.
Result<std::vector<UncheckedDispatch>> unchecked_dispatches(const Bench& bench, const std::vector<Shape>& checked,
                                                            const std::vector<Shape>& timed, const std::string& ptx);

// A warning: from this shape on nobody has looked, as running it takes too long.
Diagnostic dispatch_not_checked(const Shape& shape, const std::string& path);

}  // namespace warpgrade
