// Cycles and turns that hardware takes for the lanes of one request. Rules that Nsight Compute's counters or a
// microbenchmark have shown; each says which.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace warpgrade {

// One request's active lanes, in order; addresses in bytes, each lane's access `width` bytes wide.
struct LaneAccess {
    std::span<const std::uint64_t> addresses;
    std::uint32_t mask = 0;  // which lanes they are
    std::uint32_t width = 4;
};

// Of the 32 banks: the most different words in one (l1tex__data_pipe_lsu_wavefronts of loads and stores).
int bank_wavefronts(const LaneAccess& access);
// Of a global load that hits L1: the banks, and 128 bytes a cycle for 32 lanes on the way back, though all lanes want
// the same (H100: 32 lanes x 8 bytes of one address 2.04 cycles, x 16 bytes 4.08).
int load_wavefronts(const LaneAccess& access);
// Of a shared load of 8 or 16 bytes: halves or quarters of the warp, two of them together where neighbours want the
// same (grader/tests/model/h200/one_warp_accesses.csv).
int vector_wavefronts(const LaneAccess& access);

// Of atomics at one line of L2: lanes that share a word wait for each other, the words of a sector go together, sectors
// one after the other (H100: 1, 4 or 8 words of a sector 0.8 ns, 2 and 4 sectors 1.5 and 3.0 ns, n lanes on one word n
// x 0.74 ns).
struct LineTurns {
    std::uint64_t line = 0;  // address / 128
    int turns = 0;
    int same = 0;  // lanes on the word that most share
};
std::vector<LineTurns> atomic_turns(const LaneAccess& access);

}  // namespace warpgrade
