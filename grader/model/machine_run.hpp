// What a run of one multiprocessor is given, and what is known of it afterwards.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpgrade {

// Why a warp does not issue, in Nsight Compute's words ("Warp Stall Reasons").
enum class Stall : std::uint8_t {
    selected,          // issues
    not_selected,      // could, another warp does
    wait,              // for the result of arithmetic
    long_scoreboard,   // for global memory
    short_scoreboard,  // for shared memory or a shuffle
    barrier,
    lg_throttle,   // the queue of global accesses is full
    mio_throttle,  // the queue of shared accesses is full
    drain,         // for its stores to leave, at its end
    count
};
std::string_view name(Stall stall);

// The first cycles of a run, to be drawn.
struct Timeline {
    struct Span {
        int warp = 0;  // resident ones are numbered; the next block's warps take the numbers of those that ended
        double from = 0, to = 0;
        Stall reason = Stall::selected;
    };
    struct Load {
        double from = 0, to = 0;  // under way
        double bytes = 0;         // that L1 does not have: whole sectors
    };
    std::vector<Span> spans;  // of one warp: ascending
    std::vector<Load> loads;
    double cycles = 0;        // how long it is: all of the run, or until there was too much
    double needed_bytes = 0;  // under way at once to keep the memory busy; 0: not known
    bool is_cut = false;
};

// What would be different if one limit were gone.
struct WhatIf {
    bool ideal_loads = false;  // every request touches as few lines as its bytes need
    bool ideal_stores = false;
    bool ideal_wavefronts = false;  // no bank conflicts
    bool no_barriers = false;
    bool free_blocks = false;     // blocks start at once
    bool more_in_flight = false;  // memory answers at once, as far as its bandwidth goes
    bool free_instructions = false;
    bool free_atomics = false;
    bool operator==(const WhatIf&) const = default;
};

struct MachineSetup {
    WhatIf what_if;
    int resident_blocks = 1;
    double l1_bytes = 0;
    std::vector<double> l2_hit;     // by buffer: share of first touches that another block has brought into L2
    std::vector<bool> reads_all;    // by buffer: the launch loads nearly every byte of it
    double dram_write_factor = 1;   // bytes written to DRAM for each byte stored
    double dram_read_factor = 1;    // bytes moved in DRAM for each byte that misses L2
    double atomic_turn_cycles = 0;  // this multiprocessor's share for one turn
    double open_sector_ps = 0;      // of L2's time for a sector that another block completes
    double filled_lines = 0;        // share of the rest of a line written that other blocks write in time
    double dram_load = 0.5;         // share of its time that DRAM is busy, all multiprocessors together
    double write_share = 0;         // of the bytes that move in DRAM
    bool loads_continue = false;    // where a block's loads end in memory, those of the next block go on
    bool stores_continue = false;   // and where its stores end, theirs
    bool is_recorded = false;       // MachineRun::timeline
};

struct MachineRun {
    std::vector<double> block_start, block_end;                           // cycles, in order of start
    std::array<double, static_cast<std::size_t>(Stall::count)> stalls{};  // warp cycles
    double warp_cycles = 0;                                               // summed over warps
    double cycles = 0;                                                    // to the end of the last block
    // Busy cycles of each part over the run.
    double issue = 0, load_store = 0, l2_read = 0, l2_write = 0, dram = 0, store_port = 0, barrier = 0, atomics = 0;
    double instructions = 0;
    double dram_bytes = 0, dram_written = 0, l2_sectors = 0, stall_block_launch = 0;
    Timeline timeline;
};

}  // namespace warpgrade
