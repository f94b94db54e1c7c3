// From what sampled blocks did to what a multiprocessor has to do: machine instructions with their dependences.
//
// Theory of operation. A trace has the order of PTX; ptxas moves global loads up, as far as their addresses, barriers,
// loop ends and stores that may alias allow, so that several are in flight before the first is waited for. That is done
// here too, on each warp's trace. Addresses become the lines and sectors of 32 bytes that a request touches.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "vgpu/trace.hpp"

namespace warpgrade {

enum class Unit : std::uint8_t {
    arithmetic,
    shared_load,
    shared_store,
    global_load,
    global_store,
    global_atomic,
    shuffle,
    special_register,
    barrier,
    fence,
    match,
    commit_copies,  // of cp.async, as a group
    wait_for_copies,
    count
};

constexpr int line_bytes = 128, sector_bytes = 32;
constexpr int most_run = 1024;

// What one request touches of one line. Masks have a bit for each of its 4 sectors.
struct LineTouch {
    std::uint64_t line = 0;  // address / 128
    std::uint8_t sectors = 0;
    std::uint8_t first = 0;   // not touched before by this block
    std::uint8_t open = 0;    // stores: not whole, and no other store of this block completes it
    std::uint32_t words = 0;  // stores: the 32 words of 4 bytes that are written to
    std::uint16_t run = 0;    // bytes side by side, these among them, that the block touches; up to most_run
    std::uint16_t turns = 0;  // atomics: of this line, one after the other
    std::uint8_t same = 0;    // atomics: lanes on the word that most of them share
    bool is_piece = false;    // loads: of a longer run, but only these bytes of it in this turn through a loop
};

constexpr int words_of_a_sector = sector_bytes / 4;
constexpr std::uint32_t whole_sector = (1u << words_of_a_sector) - 1;

// The words of one of the line's sectors.
constexpr std::uint32_t words_in(std::uint32_t words, int sector) {
    return words >> (sector * words_of_a_sector) & whole_sector;
}

struct MemoryAccess {
    std::uint32_t first_line = 0;  // in WorkSample::lines
    std::uint16_t lines = 0;
    std::uint16_t wavefronts = 0;  // cycles of the data stage
    std::uint16_t ideal = 0;       // lines or wavefronts that the same bytes need at best
    std::uint16_t lanes = 0;
    std::uint16_t bytes = 0;  // of all lanes
    std::int16_t buffer = -1;
    bool is_store = false;
    bool is_load = false;      // of global memory, and no atomic
    bool adds_floats = false;  // an atomic that does
    std::uint16_t turns = 0;   // atomics: of all lines; of a shared one that is a loop, how often that runs
    int line_number = 0;       // of the source
    std::uint32_t site = 0;    // of the instruction
};

struct MicroOp {
    Unit unit = Unit::arithmetic;
    float instructions = 1;  // issue slots
    float depth = 1;         // arithmetic instructions that wait for each other in it
    std::array<std::int16_t, 4> writes{-1, -1, -1, -1};
    std::array<std::int16_t, 6> reads{-1, -1, -1, -1, -1, -1};
    std::int32_t access = -1;  // in WorkSample::accesses
    std::int16_t pending = 0;  // wait_for_copies: groups that may still be under way; match: different values
    bool is_local = false;     // loads or stores local memory, where arrays are that no register holds
    int line = 0;              // of the source
};

struct BlockWork {
    std::uint64_t block = 0;
    std::size_t first_access = 0, end_access = 0;  // in WorkSample::accesses
    std::vector<std::vector<MicroOp>> warps;
    double left_out = 1;                 // instructions run over instructions here, 1 if nothing was cut
    std::vector<double> warps_left_out;  // the same of each warp
};

// A buffer of device memory, for telling sectors apart.
struct AddressRange {
    std::uint64_t address = 0, bytes = 0;
};
// The index of the one that the address lies in; -1: none.
int buffer_of(std::uint64_t address, std::span<const AddressRange> buffers);

struct WorkSample {
    std::vector<BlockWork> blocks;
    std::vector<MemoryAccess> accesses;
    std::vector<LineTouch> lines;
    int registers = 0;  // of PTX: sizes the scoreboard
    double instructions = 0;
    std::map<int, double> resting{};  // by line: lanes without a part in an instruction, of all instructions
};

// `counts_at_once`: lanes that count in one word of shared memory (StaticOp::counts) do so together, not in turn.
WorkSample work_of(std::span<const vgpu::BlockTrace> traces, const std::vector<vgpu::SegmentOps>& segments,
                   std::span<const AddressRange> buffers, bool counts_at_once = false);

}  // namespace warpgrade
