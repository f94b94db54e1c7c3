// What the race tracker keeps: of each warp, what it knows of the others; of each word, who touched it last; of each
// place, what was left there.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "vgpu/finding.hpp"

namespace warpgrade::vgpu {

// Clocks of all warps of a launch, shared until somebody changes them.
using SharedClocks = std::shared_ptr<std::vector<std::uint32_t>>;

struct Knowledge {
    std::vector<std::uint32_t> own;      // of the warps of the block; empty = nothing
    SharedClocks foreign;                // of all warps; null = nothing known of other blocks
    std::vector<std::uint32_t> cluster;  // of the warps of its cluster, by rank; empty = nothing
};

// How far the lanes of one warp are ordered among themselves, in steps that the warp counts.
struct LaneOrder {
    std::uint32_t step = 1;
    std::uint32_t all_met = 0;                // the last step that ended in a meeting of all lanes
    std::array<std::uint32_t, 32> learned{};  // the warp's own clock, as a lane has it from a place
    // Lanes that met know the same of all others, and share a row: of each lane, the last step that they know of.
    struct Rows {
        std::array<std::array<std::uint32_t, 32>, 32> known{};
        std::array<std::uint8_t, 32> row;  // of a lane
    };
    std::unique_ptr<Rows> met;  // null until some lanes met without the rest

    void meet(std::uint32_t lanes, std::uint32_t alive);
    bool is_ordered(int lane, int earlier_lane, std::uint32_t earlier_step) const {
        const std::uint32_t known =
            met == nullptr
                ? 0
                : met->known[met->row[static_cast<std::size_t>(lane)]][static_cast<std::size_t>(earlier_lane)];
        return std::max(all_met, known) >= earlier_step;
    }
};

struct WarpClock {
    Knowledge knows;                                        // knows.own[its index] is its own clock
    Knowledge heard;                                        // of a strong access, and no fence has come since
    Knowledge looked_up;                                    // the same, of a load of global memory
    Knowledge fenced;                                       // at its last fence wider than the block
    Knowledge fenced_in_block;                              // at its last fence: own only
    std::unordered_map<std::uint64_t, std::uint32_t> seen;  // places it looked at by a strong access: their version
    const void* learned_from = nullptr;
    std::uint64_t learned_version = 0;
    LaneOrder lanes;
    std::uint32_t instruction = 0;  // counts, so that what the lanes do in one of them is one event
};

struct Touch {
    std::uint32_t warp = 0;  // of the launch, + 1; 0 = none
    std::uint32_t clock = 0, step = 0, instruction = 0;
    std::int32_t line = 0, called_from = 0;
    std::uint16_t column = 0;
    std::uint8_t lane = 0;
    std::uint8_t bytes = 0;  // mask in the word
    AccessKind access = AccessKind::none;
    bool is_strong = false;
    bool is_volatile = false;
    bool is_block_scope = false;
    bool compares = false;
    bool is_mixed = false;  // bytes of several lanes
};
struct TrackedWord {
    Touch write;                  // the last one
    Touch plain;                  // the last one that was neither atomic nor volatile: those after it do not order it
    std::array<Touch, 2> others;  // strong ones before `write`, by another warp of its block and by another block
    std::array<Touch, 2> reads;   // since `write`
    std::uint32_t version = 0;    // writes
    bool has_copies = false;      // a plain read before the last write: an old copy may be in a cache
};
// Where strong accesses leave what they publish.
struct OrderPlace {
    SharedClocks clocks;
    std::uint64_t version = 0;
    std::uint64_t block = ~std::uint64_t{0};  // which one left in_block
    Knowledge in_block;
    Knowledge in_phase;  // of an mbarrier: of who came in the phase that is not complete
};

// What those who came to a barrier know, together.
struct BarrierKnowledge {
    Knowledge knows, heard, looked_up, fenced, fenced_in_block;
};

// A bulk store that its lane has not waited for: what it reads must stay as it is.
struct BulkStore {
    Touch read;
    std::uint32_t site = 0, from = 0, bytes = 0;
    std::uint32_t commits = 0;  // of its lane, since
};

// Copies of a lane (cp.async) that an mbarrier is told of, and nobody has waited for there: no barrier tells that they
// are done.
struct ToldCopy {
    Touch write;
    std::uint32_t to = 0, bytes = 0;
    std::uint64_t mbarrier = 0;  // its place
};
class ToldCopies {
public:
    const std::vector<ToldCopy>& all() const { return all_; }
    void add(const ToldCopy& copy) {
        all_.push_back(copy);
        count(copy, 1);
    }
    template <class Is>
    void erase_if(Is&& is) {
        std::erase_if(all_, [&](const ToldCopy& copy) {
            if (!is(copy)) return false;
            count(copy, -1);
            return true;
        });
    }
    void clear() {
        erase_if([](const ToldCopy&) { return true; });
    }
    // No copy that goes there, and none beside it: asked at every access.
    bool leave_alone(std::uint64_t offset, std::uint32_t bytes) const {
        if (all_.empty()) return true;
        for (std::uint64_t piece = offset / piece_bytes; piece <= (offset + bytes - 1) / piece_bytes; ++piece)
            if (piece < over_.size() && over_[piece] != 0) return false;
        return true;
    }

private:
    static constexpr std::uint32_t piece_bytes = 16;
    void count(const ToldCopy& copy, int one) {
        if (copy.bytes == 0) return;
        const std::uint32_t last = (copy.to + copy.bytes - 1) / piece_bytes;
        if (over_.size() <= last) over_.resize(last + 1);
        for (std::uint32_t piece = copy.to / piece_bytes; piece <= last; ++piece)
            over_[piece] = static_cast<std::uint16_t>(over_[piece] + one);
    }
    std::vector<ToldCopy> all_;
    std::vector<std::uint16_t> over_;  // how many of them go to each piece of shared memory
};

// Of one running block.
struct BlockClocks {
    ToldCopies told_copies;
    std::vector<BulkStore> bulk_stores;
    std::vector<WarpClock> warps;
    std::unordered_map<std::uint64_t, OrderPlace> places;  // in shared memory
    std::uint64_t last_offset = 0;                         // the one asked for last
    OrderPlace* last_place = nullptr;
    std::vector<TrackedWord> words;  // of shared memory, where that is tracked
    OrderPlace& place_at(std::uint64_t offset) {
        if (last_place == nullptr || last_offset != offset) last_place = &places[offset];
        last_offset = offset;
        return *last_place;
    }
};

// The thread of a touch, in a launch of that grid and block.
ThreadPlace place_of(const Touch& touch, const Dim3& grid, const Dim3& block);

}  // namespace warpgrade::vgpu
