// Rows of a tile of another length, tried before they are advised.
//
// Theory of operation. Words of a column that lie in one bank are apart by the pitch of the array's rows, which its
// last extent says. Of each array whose accesses wait for each other's banks versions with other pitches are made and
// run on the technique shape and on the shapes that tell most; the first that is right everywhere and takes fewer
// wavefronts is told, with what was counted. Where none does, no number is told.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "grade/tried_changes.hpp"
#include "source/facts.hpp"

namespace warpgrade {

struct TriedPitch {
    std::string array;
    int line = 0;                         // of its declaration
    std::int64_t from = 0;                // elements of a row
    std::int64_t to = 0;                  // with which all is right, and fewer wavefronts are taken; 0: there is none
    std::uint64_t loads = 0, stores = 0;  // wavefronts of shared memory on the technique shape
    std::uint64_t loads_after = 0, stores_after = 0;  //   with `to`
    std::size_t runs = 0;                             // that are right with it
};

inline constexpr std::int64_t bank_count = 32;
// By how much longer rows that meet in few banks may be; the likeliest first.
std::vector<std::int64_t> pitch_steps(std::int64_t length);

// Of the arrays that bank conflicts are told of. `counted`: what the text as it is takes on the shape of `measured`.
// Error: host or kit.
Result<std::vector<TriedPitch>> try_pitches(const TrialBench& bench, const source::Facts& facts,
                                            const std::vector<Diagnostic>& findings, const CaseToRun& measured,
                                            const vgpu::Counters& counted, std::span<const CaseToRun> others);

void tell_pitches(const std::vector<TriedPitch>& tried, std::vector<Diagnostic>& findings);

}  // namespace warpgrade
