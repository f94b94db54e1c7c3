// A described problem held against itself: its reference passes, and outputs that are wrong do not.
//
// Theory of operation. On a few of the problem's own shapes the expected output is judged, and after it what programs
// leave that have done nothing, half of the work, or the wrong work (mutants), made from it byte by byte. A mutant has
// to fail wherever it differs in what the comparison may see; one that differs nowhere shows that the shapes or the
// contents are too tame. The same outputs are put to the kernels that check on a card.
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostic.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

struct Proof {
    std::vector<Diagnostic> problems;  // blame course; of problem.toml or problem.cu
    int mutants = 0;                   // that were judged
};
Proof prove(const Problem& problem, std::uint64_t seed);

}  // namespace warpgrade
