// Races by happens-before: who touched each word last, and what each warp knows of the others.
//
// Theory of operation. Every warp of a launch has a clock and a vector of the clocks it knows (the warps of its own
// block one by one, those of other blocks only once it has learned of them). Two accesses to a word, one of them a
// write, race unless the later warp knows the earlier one's clock, or both are atomic or volatile and of a scope that
// holds both. Knowledge travels as in CUDA:
//  - a block barrier tells those who wait there what those who came there know, and what they have fenced;
//  - a fence takes a snapshot, which the warp's next atomic or volatile writes attach to their place: for the warps of
//    the block, and, if fence and write are wider than the block, for all; a .release access attaches what is known
//    now;
//  - reading that place by an atomic or a volatile access hears of it, and a fence behind that makes it known; .acquire
//    knows at once. An mbarrier does both for those who arrive and wait.
// Lanes of one warp are ordered by __syncwarp() of a mask that holds both, by barriers, and by what they learn.
// More is taken as order than the PTX memory model grants, so that what is reported is a race: what was only heard of
// counts in shared memory, and in global memory for words that nobody can have an old copy of if an atomic operation
// has heard of it (the last-block pattern is taught without the reader's fence; a loop of loads that waits for a flag
// is not); a plain read may meet a compare-and-swap (the loop round one begins with such a read). Blocks run on one
// host thread while they are tracked.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vgpu/exec.hpp"
#include "vgpu/finding.hpp"
#include "vgpu/memory.hpp"
#include "vgpu/race_clocks.hpp"

namespace warpgrade::vgpu {

struct LaunchState;
class OldValues;

class RaceTracker {
public:
    static constexpr std::uint64_t kMostWarps = 8192;  // of a launch that is tracked as a whole
    // Of a launch: some 0.3 to 1 s; whoever does not end by then never will.
    static constexpr std::int64_t kMostTouches = 1 << 23;
    // A launch that is too large: its first words and touches, beside the tags in memory's shadow.
    static constexpr std::int64_t kTouchesOfPart = 1 << 18;
    // `watched`: only these words of global memory (addresses of their first bytes, ascending); empty = all that is
    // writable.
    RaceTracker(LaunchState& launch, std::vector<std::uint64_t> watched, bool looks_at_global, bool looks_at_shared,
                std::int64_t most_touches = kMostTouches);
    ~RaceTracker();

    void follow_part();
    bool is_of_part() const { return most_pages_ != 0; }
    // Blocks that start from now on need not be followed.
    bool is_part_done() const { return is_of_part() && touches_left_ <= 0; }
    void start(BlockClocks& clocks) const;
    // Before the instruction's handler runs.
    void before(Warp& w, const Inst& in) {
        const Site& site = w.sites[in.site];
        if (site.access != AccessKind::none && !site.is_bulk && touches_left_ > 0) access(w, in, site);
    }
    // After it. True where the block is to be held back here.
    bool after(Warp& w) { return has_more_to_do_ && finish(w); }
    bool holds_back() const;  // blocks go on in the order opposite to that in which they gave their turn away
    void bulk(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t bytes);
    // The copies that a lane has started are done when the mbarrier's phase is, and not before for who does not wait.
    void tell_of_copies(Warp& w, int lane, std::uint32_t site, std::uint32_t to, std::uint32_t bytes,
                        std::uint64_t mbarrier);
    void waited_for_copies(Warp& w) const;  // by the warp that has started them
    // A copy from shared memory starts; the lanes put all that they have started into a group, and wait until no more
    // than so many of their groups still read.
    void bulk_store(Warp& w, const Inst& in, int lane, std::uint32_t from, std::uint32_t bytes);
    void bulk_commit(Warp& w) const;
    void bulk_wait(Warp& w, std::uint32_t groups_left);
    // A store into shared memory by a copy that is done now; is_there: of what was there before.
    // A copy to shared memory starts, which may store from now on; `copied` is when it has.
    void copy_begins(Warp& w, std::uint32_t site, int lane, std::uint32_t to, std::uint32_t bytes);
    void copied(Warp& w, std::uint32_t site, int lane, std::uint32_t to, std::uint32_t bytes, bool is_there);
    void fence(Warp& w, bool is_of_block) const;
    // Lanes met: __syncwarp(), a barrier.
    void lanes_met(Warp& w, std::uint32_t lanes) const;
    // A warp came to a barrier, and leaves there what it knows; a warp goes on from it.
    void arrive(Warp& w, BarrierKnowledge& barrier) const;
    void leave(Warp& w, const BarrierKnowledge& barrier, std::uint32_t lanes) const;
    // The same of a barrier of a cluster.
    void arrive(Warp& w, BarrierKnowledge& barrier, std::uint32_t rank, std::size_t blocks) const;
    void leave(Warp& w, const BarrierKnowledge& barrier, std::uint32_t rank, std::uint32_t lanes) const;
    // An mbarrier at this place of shared memory: who arrives publishes, who has waited knows.
    void arrive_at(Warp& w, std::uint64_t place) const;
    void completed_at(Warp& w, std::uint64_t place) const;  // what comes later is of the next phase
    void waited_at(Warp& w, std::uint64_t place, std::uint32_t lanes) const;
    bool looks_at_shared() const { return looks_at_shared_ && (!is_of_part() || touches_left_ > 0); }
    std::int64_t touches_left() const { return touches_left_; }
    // It has seen every access to global memory.
    bool has_followed_all() const {
        return looks_at_global_ && watched_.empty() && touches_left_ > 0 && !has_left_out_;
    }
    // After the launch: who stored last to an address. Takes what was noted; null where not everything was.
    std::function<std::optional<ThreadPlace>(std::uint64_t)> take_last_stores();
    // RunResult::may_be_old and old_value.
    std::vector<SourceSite> may_be_old() const;
    std::optional<Finding> take_old_value() { return std::move(old_value_); }

private:
    static constexpr std::uint64_t kPageWords = 256;
    using Page = std::array<TrackedWord, kPageWords>;
    // Buffers are gigabytes apart: units of different widths do not meet, but for the shift that is put in front.
    static std::uint64_t page_of(std::uint64_t unit, unsigned shift) {
        return unit / kPageWords | std::uint64_t{shift} << 60;
    }

    void access(Warp& w, const Inst& in, const Site& site);
    // `mine`: of the instruction; a lane and what it touches are put into it.
    void touch(Warp& w, const Inst& in, const Site& site, Touch& mine, int lane, std::uint64_t address,
               std::uint32_t bytes);
    void touch_shared(Warp& w, const Inst& in, const Site& site, Touch& mine, int lane, std::uint64_t offset,
                      std::uint32_t bytes);
    std::uint32_t lanes_without_news(Warp& w, const Site& site, const std::uint64_t* address, std::uint64_t offset);
    void look_for_bulk_stores(Warp& w, const Site& site, const Touch& mine, std::uint64_t offset, std::uint32_t bytes);
    void look_for_told_copies(Warp& w, const Site& site, const Touch& mine, std::uint64_t offset, std::uint32_t bytes);
    void touch_source(Warp& w, const BulkStore& store);
    Touch touch_of(const Warp& w, const Site& site) const;
    void set_lane(const Warp& w, Touch& mine, int lane) const;
    // One word, at address or offset `at`.
    void touch_word(Warp& w, const Inst& in, const Site& site, const Touch& mine, std::uint64_t at, TrackedWord& word,
                    std::uint64_t address, bool is_shared);
    // True where it is given an old value.
    bool look_for_old_values(Warp& w, const Site& site, const Touch& mine, int lane, std::uint64_t address,
                             std::uint32_t bytes);
    bool finish(Warp& w);
    void put_back();
    // Of an atomic operation whose result is used, in global memory.
    void look_for_draws(Warp& w, const Touch& mine, const TrackedWord& word);
    // `mine` changes what another block has touched while this one was held back.
    void look_for_late_changes(Warp& w, const Site& site, const Touch& mine, const TrackedWord& word,
                               std::uint64_t address);
    char* word_at(std::uint64_t address) const;
    TrackedWord* find(std::uint64_t unit);
    bool select_buffer(std::uint64_t address);
    // All lanes access one buffer, and it is not tracked.
    bool is_all_untracked(const Warp& w, const Site& site, const std::uint64_t* address, std::uint64_t offset);
    enum class Order : std::uint8_t { none, looked_up, heard_of, known };
    Order order_of(const Warp& w, const Touch& earlier, int lane) const;
    bool knows(const Knowledge& knowledge, const Warp& w, const Touch& earlier) const;
    bool may_meet(const Touch& earlier, const Touch& mine, bool is_shared) const;
    void note_write(TrackedWord& word, const Touch& mine) const;
    void strong_access(Warp& w, const Site& site, int lane, OrderPlace& place, bool is_shared) const;
    void learn(Warp& w, const OrderPlace& place, Knowledge& into, bool is_block_scope) const;
    void publish(Warp& w, OrderPlace& place, const Site& site, bool is_shared) const;
    void report(Warp& w, const Inst& in, const Site& site, int lane, std::uint64_t address, const Touch& earlier,
                bool is_shared, bool is_heard_of, bool is_looked_up = false);
    void join(SharedClocks& into, const SharedClocks& from) const;
    void join(Knowledge& into, const Knowledge& from) const;
    std::uint64_t first_warp(const Warp& w) const;
    // In Knowledge::cluster, of the block that the warp is of; where it has a cluster.
    std::optional<std::size_t> index_in_cluster(const Warp& w, std::uint64_t warp) const;

    LaunchState& launch_;
    std::vector<std::uint64_t> watched_;
    bool looks_at_global_ = false, looks_at_shared_ = false;
    std::uint32_t warps_per_block_ = 1;
    std::uint64_t warp_count_ = 1;
    std::uint64_t low_ = 1, high_ = 0;  // the buffer looked at last
    unsigned unit_shift_ = 2;           // bytes that are told apart in it
    bool is_tracked_ = false;
    // False once enough was touched.
    bool pays_for(Warp& w, std::uint32_t bytes, unsigned unit_shift);
    bool copies_what_is_there_ = false;
    std::int64_t touches_left_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;  // by unit of the buffer's kind / kPageWords
    std::size_t most_pages_ = 0;                                      // 0: as many as are touched
    bool has_left_out_ = false;                                       // one that was too many
    std::uint64_t last_page_ = ~std::uint64_t{0};
    Page* page_ = nullptr;
    std::unordered_map<std::uint64_t, OrderPlace> places_;
    std::unique_ptr<OldValues> old_values_;  // null where global memory is not followed as a whole
    std::optional<Finding> old_value_;
    std::vector<std::pair<char*, std::uint32_t>> put_back_;  // what memory held before an instruction got old values
    std::unordered_map<std::uint64_t, Touch> held_;          // blocks that were held back, and where
    bool holds_now_ = false;
    bool has_more_to_do_ = false;  // after the instruction
};

// True if a launch is small enough to be tracked from the start.
bool is_small_enough(const LaunchState& launch);
// True if the first part of one can be, whatever its buffers hold.
bool has_part_to_track(const LaunchState& launch);

}  // namespace warpgrade::vgpu
