// Cases of one build, two at a time.
//
// Theory of operation. A case leaves something in the program that it ran on: the addresses that come next, and how
// many accesses were looked at. So where a case runs, and after which others, is the same on every machine: even ones
// on the first program, odd ones on the second, whether there are threads for both or not. None is run behind one that
// did not pass: what may follow that is for whoever asked to say.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "run/cases.hpp"

namespace warpgrade {

struct CaseToRun {
    Shape shape;
    CaseOptions options;
    std::uint64_t most_work = std::numeric_limits<std::uint64_t>::max();  // of what bench.budget has left
};

struct CaseRun {
    Result<CaseOutcome> outcome;
    std::uint64_t work = 0;  // that it spent: bench.budget is what each may have, and nothing is taken from it
};

// In order, up to the first that did not pass, that one included, or for which there was no memory beside another; one
// at least. `bench.beside` is there.
std::vector<CaseRun> run_side_by_side(const Bench& bench, std::span<const CaseToRun> cases);

}  // namespace warpgrade
