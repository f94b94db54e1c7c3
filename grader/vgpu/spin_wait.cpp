// Blocks that wait for other blocks: who only polls gives its turn away, and sleeps until what it polls has changed.
// Lanes that wait for others of their block, which poll shared memory, give their turn away as well.
#include <algorithm>
#include <cstring>

#include "vgpu/clusters.hpp"
#include "vgpu/ops/table.hpp"
#include "vgpu/race_tracker.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

// All blocks together, in a row, with nothing changed. Nobody counts this far while waiting for a flag.
constexpr std::uint64_t kPollsBeforeEnd = 1u << 20;

// Global memory behind an address, through the site's own buffer. Null if it is elsewhere.
const char* look(const SiteCache& c, std::uint64_t address, std::uint32_t bytes) {
    return inside(address, bytes, c.low, c.high) ? c.bias + address : nullptr;
}

// Shared memory of the block behind an address, which is a generic one unless the instruction says .shared.
const char* look_within(const Warp& w, const Inst& in, std::uint64_t address) {
    const bool is_offset = w.sites[in.c].space == static_cast<std::uint8_t>(ptx::Space::shared);
    const std::uint64_t offset = is_offset ? address : address - kSharedWindow;
    return inside(offset, in.b, 0, w.shared_bytes) ? reinterpret_cast<const char*>(w.shared) + offset : nullptr;
}

// Who has waited here for others of its block waits here again, for a barrier's next phase: libcu++ asks at many sites.
bool waits_again(Poll& waited, const char* place, std::uint64_t value) {
    if (waited.place != place) return false;
    waited.repeats = waited.value == value ? waited.repeats + 1 : 0;
    waited.value = value;
    return waited.repeats > 1;
}

// Follows an access that may be what a loop waits for: a, imm = its address, b = its bytes, c = its site. The first
// active lane stands for all of them: a turn given away too early costs little.
void poll(Warp& w, const Inst& in) {
    if (w.mask == 0 || w.is_host) return;
    note_looked(w, w.sites[in.c]);
    const std::uint64_t address =
        reg<std::uint64_t>(w, in.a)[__builtin_ctz(w.mask)] + static_cast<std::uint64_t>(in.imm);
    const char* const within = look_within(w, in, address);
    if (within == nullptr) w.block->has_seen_atomic = true;
    const char* const place = within != nullptr ? within : look(w.caches[in.c], address, in.b);
    if (place == nullptr) return;
    std::uint64_t value = 0;
    std::memcpy(&value, place, in.b);
    WarpState& ws = w.block->warps[w.index];
    if (within != nullptr && waits_again(ws.waited, within, value)) {
        w.yields = w.waits_within = true;
        return;
    }
    Poll& p = ws.polls[in.c % ws.polls.size()];
    if (p.place != place || p.site != in.c || p.value != value) {
        p = {place, value, in.b, in.c, w.index, 0};
        return;
    }
    if (++p.repeats < w.worker->patience) return;
    w.yields = true;
    w.waits_within = within != nullptr;
    if (w.waits_within) {
        ws.waited = p;
        return;
    }
    std::vector<Poll>& watched = w.block->watched;
    for (std::uint32_t m = w.mask; m != 0; m &= m - 1) {
        const std::uint64_t at = reg<std::uint64_t>(w, in.a)[__builtin_ctz(m)] + static_cast<std::uint64_t>(in.imm);
        const char* here = look(w.caches[in.c], at, in.b);
        if (here == nullptr || (!watched.empty() && watched.back().place == here)) continue;
        Poll seen{here, 0, in.b, in.c, w.index, 0};
        std::memcpy(&seen.value, here, in.b);
        watched.push_back(seen);
    }
}

// Follows a strong store, and an atomic operation that releases, of a launch too large to track: a, imm = its address,
// b = its bytes, c = its site. What is stored in a strong way races with no other strong access.
void tell(Warp& w, const Inst& in) {
    const RaceTracker* const races = w.worker->launch->races.get();
    if (w.mask == 0 || w.is_host || (races != nullptr && !races->is_of_part())) return;
    const Site& site = w.sites[in.c];
    if (site.is_release && !site.is_block_scope) note_published(w);
    const SiteCache& c = w.caches[in.c];
    if (c.shadow_bias == nullptr) return;
    for (std::uint32_t m = w.mask; m != 0; m &= m - 1) {
        const std::uint64_t at = reg<std::uint64_t>(w, in.a)[__builtin_ctz(m)] + static_cast<std::uint64_t>(in.imm);
        if (!inside(at, in.b, c.low, c.high)) continue;
        for (std::uint64_t word = at / 4; word * 4 < at + in.b; ++word) c.shadow_bias[word] &= 0xF;  // no block's
    }
}

void report_waiting(Worker& worker, BlockContext& block, std::uint64_t others) {
    LaunchState& launch = *worker.launch;
    const Poll& p = block.watched.front();
    const Warp& w = block.warps[p.warp].warp;
    const Site& site = w.sites[p.site];
    bool is_new = false;
    Finding& f = add_finding(worker, &block, FindingKind::timeout, line_of(w, site), AccessKind::none,
                             FindingReason::waits, is_new);
    if (is_new) {
        f.place = place_of(w, __builtin_ctz(w.mask == 0 ? 1 : w.mask), site);
        f.waiting_blocks = others;
        f.unstarted_blocks = launch.block_count - std::min(launch.next_block.load(), launch.block_count);
    }
    launch.is_stopped = true;
}

}  // namespace

void note_looked(Warp& w, const Site& site) {
    if (ClusterSeat* const seat = w.block->seat.get();
        seat != nullptr && (site.access == AccessKind::read || site.is_used))
        seat->has_looked = true;
}

void report_cluster_stuck(Worker& worker, BlockContext& block) {
    const Cluster& cluster = *block.seat->cluster;
    for (const WarpState& ws : block.warps) {
        for (const Strand& strand : ws.strands) {
            if (strand.state != StrandState::at_cluster) continue;
            const Site& site = ws.warp.sites[strand.arrival->site];
            bool is_new = false;
            Finding& f = add_finding(worker, &block, FindingKind::deadlock, line_of(ws.warp, site), AccessKind::none,
                                     FindingReason::cluster, is_new);
            if (is_new) {
                f.place = place_of(ws.warp, __builtin_ctz(strand.stack.back().mask), site);
                f.value = cluster.alive - cluster.arrived;
                f.limit = cluster.alive;
            }
            worker.launch->is_stopped = true;
            return;
        }
    }
}

bool may_go_on(const BlockContext& block) {
    if (const ClusterSeat* const seat = block.seat.get(); seat != nullptr && seat->waits) {
        if (seat->cluster->phase != seat->phase_seen) return true;
        if (block.watched.empty()) return false;
    }
    if (block.watched.empty()) return true;
    for (const Poll& p : block.watched) {
        std::uint64_t value = 0;
        std::memcpy(&value, p.place, p.bytes);
        if (value != p.value) return true;
    }
    return false;
}

bool WaitingBlocks::has_ready() const {
    return std::ranges::any_of(blocks_, [](const auto& block) { return may_go_on(*block); });
}

std::unique_ptr<BlockContext> WaitingBlocks::take(Worker& worker) {
    const RaceTracker* const races = worker.launch->races.get();
    for (std::size_t i = blocks_.size(); races != nullptr && races->holds_back() && i-- > 0;) {
        if (!may_go_on(*blocks_[i])) continue;
        std::unique_ptr<BlockContext> block = std::move(blocks_[i]);
        blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(i));
        worker.patience = kPollsBeforeTurn;
        idle_turns_ = idle_polls_ = 0;
        return block;
    }
    for (std::size_t tries = blocks_.size(); tries > 0; --tries) {
        std::unique_ptr<BlockContext> block = std::move(blocks_.front());
        blocks_.pop_front();
        if (may_go_on(*block)) {
            worker.patience = kPollsBeforeTurn;
            idle_turns_ = idle_polls_ = 0;
            return block;
        }
        blocks_.push_back(std::move(block));
    }
    // A block that waits at a barrier of its cluster counts no turns.
    for (std::size_t tries = blocks_.size(); blocks_.front()->watched.empty(); --tries) {
        if (tries == 0) {
            report_cluster_stuck(worker, *blocks_.front());
            return nullptr;
        }
        std::rotate(blocks_.begin(), blocks_.begin() + 1, blocks_.end());
    }
    if (++idle_turns_ % blocks_.size() == 0) worker.patience *= 2;
    std::unique_ptr<BlockContext> block = std::move(blocks_.front());
    blocks_.pop_front();
    idle_polls_ += worker.patience;
    if (idle_polls_ <= kPollsBeforeEnd) return block;
    report_waiting(worker, *block, blocks_.size());
    return nullptr;
}

void waiting_rows(OpTable& t) {
    t.add("poll", "", poll, poll);
    t.add("tell", "", tell, tell);
}

}  // namespace warpgrade::vgpu
