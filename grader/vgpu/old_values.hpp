// What a GPU may give to who reads a word by a volatile or relaxed load: the value from before a store that nothing
// orders before the load.
//
// Theory of operation. Such a load and the store race with no one, so the race tracker has nothing to say of them, and
// blocks that run one after the other never show what comes of it: a value that is stored before its flag, with no
// fence between them, is always there when the flag is. So it is tried. A first run names the loads that saw what
// nothing orders before them (`noted`); a run for one of them (`tried`) gives each warp, once for each word, the oldest
// value that it may still see. A loop that waits for a flag looks again. What relies on an order that is not there
// comes out wrong.
//
// Of two blocks that count themselves by an atomic operation the one that counts first need not go on first. That is
// tried as well (`noted_draws`): each block is held back once behind the operation, until all others have come, and the
// last of them goes on first (race_trials.cpp). Who takes a ticket for being done, and is not, is found so.
//
// The memory model's limits are kept: a warp that has seen, or knows of, a store to a word sees no older value of it,
// and what one instruction of a thread stored is old or new as a whole.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vgpu/race_clocks.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade::vgpu {

class OldValues {
public:
    explicit OldValues(SourceSite tried) : tried_(tried) {}

    bool tries() const { return tried_.line > 0; }
    bool tries(SourceSite site) const { return tries() && site == tried_; }
    void note(SourceSite site);
    const std::vector<SourceSite>& noted() const { return noted_; }
    void note_draw(SourceSite site);
    const std::vector<SourceSite>& noted_draws() const { return noted_draws_; }

    // A word (its address, a multiple of 4) that held `before` is stored to.
    void store(std::uint64_t word, std::uint32_t before, const Touch& by);
    // What a warp gets of these words instead of what they hold, if it does not get all of it; `missed` is then the
    // first store that it does not see. may_be_missed: nothing orders it before the warp.
    using MayBeMissed = std::function<bool(const Touch&)>;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> read(std::uint32_t warp, std::span<const std::uint64_t> words,
                                                              const MayBeMissed& may_be_missed, Touch& missed);

private:
    struct Word {
        // Ascending; what was there before each, and how many came before the first of them.
        std::vector<std::pair<std::uint32_t, Touch>> stores;
        std::uint64_t forgotten = 0;
        std::unordered_map<std::uint32_t, std::uint64_t> seen;  // by warp: so many stores
        std::unordered_map<std::uint32_t, bool> had_old;        // by warp
    };

    SourceSite tried_;
    std::vector<SourceSite> noted_, noted_draws_;
    std::unordered_map<std::uint64_t, Word> words_;
};

}  // namespace warpgrade::vgpu
