// Races in global memory, by happens-before: who touched each word last, and what each warp knows of the others.
//
// Theory of operation. Every warp of a launch has a clock and a vector of the clocks it knows (the warps of its own
// block one by one, those of other blocks only once it has learned of them). Two accesses to a word, one of them a
// write, race unless the later warp knows the earlier one's clock, or both are atomic or volatile. Knowledge travels as
// in CUDA:
//  - a block barrier tells every warp of the block what all of them know, and what all of them have fenced;
//  - a fence (wider than the block) takes a snapshot, which the warp's next atomic or volatile writes attach to their
//  place;
//    a .release access attaches what is known now; reading that place by an atomic or a volatile access learns it.
// More is taken as order than the PTX memory model grants, so that what is reported is a race: the reader needs no
// fence (the last-block pattern is taught without), the first plain store after a fence counts as a flag, a plain read
// may meet a compare-and-swap (the loop round one begins with such a read), and lanes of one warp do not race here. Blocks run on one host thread while they are tracked.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "vgpu/exec.hpp"
#include "vgpu/memory.hpp"

namespace warpgrade::vgpu {

struct LaunchState;

// Clocks of all warps of a launch, shared until somebody changes them.
using SharedClocks = std::shared_ptr<std::vector<std::uint32_t>>;

struct Knowledge {
    std::vector<std::uint32_t> own;  // of the warps of the block
    SharedClocks foreign;            // of all warps; null = nothing known of other blocks
};

struct WarpClock {
    Knowledge knows;                                        // knows.own[its index] is its own clock
    Knowledge fenced;                                       // at its last fence; own empty = none yet
    bool has_just_fenced = false;                           // nothing stored since
    std::unordered_map<std::uint64_t, std::uint32_t> seen;  // places it looked at by a strong access: their version
    const void* learned_from = nullptr;
    std::uint64_t learned_version = 0;
};

// Of one running block.
struct BlockClocks {
    std::vector<WarpClock> warps;
    Knowledge shared;  // left in shared memory by atomics, volatile accesses and mbarriers
};

class RaceTracker {
public:
    // `watched`: only these words (addresses of their first bytes, ascending); empty = all of writable memory.
    RaceTracker(LaunchState& launch, std::vector<std::uint64_t> watched);

    void start(BlockClocks& clocks) const;
    // Before the instruction's handler runs.
    void before(Warp& w, const Inst& in) {
        const Site& site = w.sites[in.site];
        if (site.access != AccessKind::none && !site.is_bulk && touches_left_ > 0) access(w, in, site);
    }
    void bulk(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t bytes);
    void fence(Warp& w) const;
    void block_barrier(BlockClocks& clocks) const;
    // An order between warps of a block that goes through shared memory.
    void shared_order(Warp& w) const;

private:
    struct Touch {
        std::uint32_t warp = 0;  // of the launch, + 1; 0 = none
        std::uint32_t clock = 0;
        std::int32_t line = 0, called_from = 0;
        std::uint16_t column = 0;
        std::uint8_t lane = 0;
        std::uint8_t bytes = 0;  // mask in the word
        AccessKind access = AccessKind::none;
        bool is_strong = false;
        bool compares = false;
    };
    struct Word {
        Touch write;
        std::array<Touch, 2> reads;  // since that write
        std::uint32_t version = 0;   // writes
    };
    struct Place {
        SharedClocks clocks;
        std::uint64_t version = 0;
    };
    static constexpr std::uint64_t kPageWords = 256;
    static constexpr std::int64_t kMostTouches = 1 << 23;  // some 0.3 s; whoever does not end by then never will
    using Page = std::array<Word, kPageWords>;

    void access(Warp& w, const Inst& in, const Site& site);
    void touch(Warp& w, const Inst& in, const Site& site, int lane, std::uint64_t address, std::uint32_t bytes,
               bool is_flag);
    Word* find(std::uint64_t unit);
    bool select_buffer(std::uint64_t address);
    bool is_ordered(const Warp& w, const Touch& earlier) const;
    void learn(Warp& w, const Place& place) const;
    void publish(Warp& w, Place& place, const Site& site);
    void report(Warp& w, const Inst& in, const Site& site, int lane, std::uint64_t address, const Touch& earlier);
    void join(SharedClocks& into, const SharedClocks& from) const;
    void join(Knowledge& into, const Knowledge& from) const;

    LaunchState& launch_;
    std::vector<std::uint64_t> watched_;
    std::uint32_t warps_per_block_ = 1;
    std::uint64_t warp_count_ = 1;
    std::uint64_t low_ = 1, high_ = 0;  // the buffer looked at last
    unsigned unit_shift_ = 2;           // bytes that are told apart in it
    bool is_tracked_ = false;
    std::int64_t touches_left_ = kMostTouches;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;  // by unit of the buffer's kind / kPageWords
    std::uint64_t last_page_ = ~std::uint64_t{0};
    Page* page_ = nullptr;
    std::unordered_map<std::uint64_t, Place> places_;
};

// True if a launch is small enough to be tracked from the start.
bool is_small_enough(const LaunchState& launch);

}  // namespace warpgrade::vgpu
