// A warp of a running block: its strands, its registers and what it waits for (runtime.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "vgpu/code.hpp"
#include "vgpu/exec.hpp"

namespace warpgrade::vgpu {

// Bytes that start at a 64-byte boundary, so that no 32-lane vector straddles more cache lines than it must.
class LineBytes {
public:
    void assign(std::size_t bytes, char value) {
        lines_.assign((bytes + 63) / 64, Line{});
        bytes_ = bytes;
        if (value != 0) std::fill(data(), data() + bytes, value);
    }
    void resize(std::size_t bytes) {
        lines_.resize((bytes + 63) / 64);
        bytes_ = bytes;
    }
    char* data() { return reinterpret_cast<char*>(lines_.data()); }
    std::size_t size() const { return bytes_; }

private:
    struct alignas(64) Line {
        char bytes[64] = {};
    };
    std::vector<Line> lines_;
    std::size_t bytes_ = 0;
};

// Most warps are whole, and counting bits is a call where the processor is not known to do it.
inline unsigned lanes_in(std::uint32_t mask) {
    return mask == kFullMask ? 32 : mask == 0 ? 0 : static_cast<unsigned>(__builtin_popcount(mask));
}

struct SimtEntry {
    int function = 0;
    int pc = 0;           // segment; -1 = the function's end
    int reconverge = -1;  // pops when pc gets here
    std::uint32_t mask = 0;
    std::uint32_t frame = 0;       // offset of the frame in the warp's storage
    std::uint32_t local_base = 0;  // of the frame's local variables
    bool is_call = false;          // bottom entry of a call: on its end, results go back
    int call = -1;                 // index in the caller's Code::calls
    int caller = -1;               // function
    std::uint32_t caller_frame = 0;
    std::uint32_t call_mask = 0;
    int call_line = 0, outer_call_line = 0;  // of the submission: see Warp
};

enum class StrandState : std::uint8_t { ready, at_barrier, at_cluster, waiting_for_lanes, done };

struct Strand {
    std::vector<SimtEntry> stack;
    StrandState state = StrandState::ready;
    std::uint32_t wait_mask = 0;  // waiting_for_lanes: the lanes named
    std::uint32_t wait_site = 0;
    bool is_past_barrier = false;  // waiting_for_lanes: after a bar.warp.sync, not before a shuffle
    int barrier = 0;               // at_barrier
    std::uint32_t phase = 0;       // at_cluster: that it waits for
    const Terminator* arrival = nullptr;
    std::uint64_t patience = 0;  // segments run since it last gave way
    // Where the block was held back within a segment, in front of this instruction; 0: nowhere.
    std::uint32_t held_before = 0, held_mask = 0, held_saved_mask = 0;
};

// The last look at a place of global memory that a loop may wait for.
struct Poll {
    const char* place = nullptr;
    std::uint64_t value = 0;
    std::uint32_t bytes = 0, site = 0;
    std::uint32_t warp = 0;
    std::uint64_t repeats = 0;  // looks in a row that found the same
};
// A warp that found the same this many times gives its turn away.
inline constexpr std::uint64_t kPollsBeforeTurn = 32;

struct WarpState {
    Warp warp;
    std::vector<Strand> strands;
    LineBytes frames;                   // storage of all frames; the kernel's is at 0
    LineBytes local, local_written;     // see Warp
    std::vector<AsyncCopy> copies;      // not yet waited for
    std::vector<std::uint32_t> groups;  // committed groups: number of copies in each, oldest first
    std::uint32_t uncommitted = 0;
    std::uint32_t traced = 0;   // accesses so far, where whole blocks are traced
    std::array<Poll, 4> polls;  // by site
    Poll waited;                // at the place of shared memory where it gave its turn away last, whatever the site
    bool is_done() const {
        for (const Strand& s : strands) {
            if (s.state != StrandState::done) return false;
        }
        return true;
    }
};

}  // namespace warpgrade::vgpu
