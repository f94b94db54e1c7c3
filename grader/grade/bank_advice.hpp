// Why the rows of a tile in shared memory meet in few banks, as far as its declaration and its index show.
//
// Theory of operation. Element (r, c) of a tile of 4-byte elements whose rows are L apart is in bank (r * L + c) % 32,
// so a column lies in 32 / gcd(L, 32) banks, and a warp that goes down a column takes gcd(L, 32) wavefronts. Only where
// the count is just that is L called the reason.
#pragma once

#include <string>

#include "base/diagnostic.hpp"
#include "course/technique.hpp"
#include "explain/advice_text.hpp"
#include "source/facts.hpp"

namespace warpgrade {

// `line`: of the access to `array`; `by`: wavefronts a request. Empty where this does not explain them.
Advice advice_on_banks(const source::Facts& facts, int line, const std::string& array, double by,
                       const LaunchInfo& launch);

}  // namespace warpgrade
