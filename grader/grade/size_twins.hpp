// Whether the shapes of a problem tell programs that are wrong from some size on.
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostic.hpp"
#include "course/assignment.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

// Its solutions, made wrong in their PTX: with the extents of grids exchanged, with counters in shared memory of 16 and
// of 8 bits. Each has to fail on a shape of `check`, `planned` or `sampled`. And `planned` has to reach the sizes that
// no solution need be made wrong for: 65536 in each extent, and 2^31 bytes. What does not is told.
std::vector<Diagnostic> check_sizes(const Problem& problem, const std::vector<const Stage*>& stages,
                                    const Assignment& assignment, std::uint64_t seed);

}  // namespace warpgrade
