#include "vgpu/clusters.hpp"

#include <algorithm>
#include <cstring>

#include "vgpu/ops/table.hpp"
#include "vgpu/race_tracker.hpp"

namespace warpgrade::vgpu {

namespace {

constexpr std::uint64_t offset_mask = (std::uint64_t{1} << kRankShift) - 1;

std::uint32_t rank_named(std::uint64_t address) { return static_cast<std::uint32_t>(address >> kRankShift) - 1; }

std::uint64_t linear_of(const Dim3& at, const Dim3& grid) {
    return at.x + std::uint64_t{grid.x} * (at.y + std::uint64_t{grid.y} * at.z);
}
Dim3 place_of_block(std::uint64_t linear, const Dim3& grid) {
    return {static_cast<std::uint32_t>(linear % grid.x), static_cast<std::uint32_t>(linear / grid.x % grid.y),
            static_cast<std::uint32_t>(linear / grid.x / grid.y)};
}

// All that have not ended have come: what they did before is behind the barrier.
void meet(Cluster& cluster) {
    cluster.arrived = 0;
    ++cluster.phase;
    cluster.met = std::exchange(cluster.coming, {});
    for (BlockContext* const block : cluster.blocks) {
        if (block == nullptr) continue;
        const bool finds_by_stamps = block->warps.front().warp.worker->launch->finds_races_by_stamps;
        advance_sequence(*block);
        for (WarpState& ws : block->warps) {
            Warp& w = ws.warp;
            w.sequence = w.sync_floor = block->sequence;
            if (finds_by_stamps) w.barrier_floor = block->sequence;
        }
    }
}

void meet_if_all_are_there(Cluster& cluster) {
    if (cluster.arrived != 0 && cluster.arrived >= cluster.alive) meet(cluster);
}

// imm: .relaxed, which orders nothing.
void arrive(Warp& w, const Inst& in) {
    if (w.mask == 0 || w.block->seat == nullptr) return;  // host code has none
    ClusterSeat& seat = *w.block->seat;
    Cluster& cluster = *seat.cluster;
    ClusterArrivals& arrivals = seat.arrivals[w.index];
    const std::uint32_t coming = w.mask & ~arrivals.lanes;
    arrivals.lanes |= coming;
    for (std::uint32_t m = coming; m != 0; m &= m - 1) arrivals.phase[__builtin_ctz(m)] = cluster.phase + 1;
    RaceTracker* const races = w.block->races;
    if (races != nullptr && in.imm == 0) races->arrive(w, cluster.coming, seat.rank, cluster.blocks.size());
    cluster.arrived += lanes_in(coming);
    meet_if_all_are_there(cluster);
}

template <class T, bool IsGeneric, bool Masked>
void map_address(Warp& w, const Inst& in) {
    const T* a = reg<T>(w, in.a);
    const std::uint32_t* rank = reg<std::uint32_t>(w, in.b);
    T* d = reg<T>(w, in.d[0]);
    const std::uint32_t lanes = Masked ? w.mask : kFullMask;
    for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const std::uint64_t window = IsGeneric ? kSharedWindow : 0, at = std::uint64_t{a[i]} - window;
        d[i] = static_cast<T>(at >= kWindowBytes
                                  ? std::uint64_t{a[i]}
                                  : window + ((at & offset_mask) | (std::uint64_t{rank[i]} + 1) << kRankShift));
    }
}

template <class T, bool IsGeneric>
void rank_of_address(Warp& w, const Inst& in) {
    const T* a = reg<T>(w, in.a);
    std::uint32_t* d = reg<std::uint32_t>(w, in.d[0]);
    const ClusterSeat* const seat = w.block->seat.get();
    for (std::uint32_t m = w.mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const std::uint64_t at = std::uint64_t{a[i]} - (IsGeneric ? kSharedWindow : 0);
        d[i] = names_block(at) ? rank_named(at) : seat != nullptr ? seat->rank : 0;
    }
}

void is_in_own_shared(Warp& w, const Inst& in) {
    const std::uint64_t* a = reg<std::uint64_t>(w, in.a);
    const ClusterSeat* const seat = w.block->seat.get();
    std::uint32_t& p = pred(w, in.d[0]);
    for (std::uint32_t m = w.mask; m != 0; m &= m - 1) {
        const int i = __builtin_ctz(m);
        const std::uint64_t at = a[i] - kSharedWindow;
        const bool is_own = at < kWindowBytes && (seat == nullptr || !names_block(at) || seat->rank == rank_named(at));
        p = (p & ~(1u << i)) | std::uint32_t{is_own} << i;
    }
}

Finding* begin(Warp& w, const Inst& in, int lane, FindingKind kind, FindingReason reason, std::uint32_t rank) {
    const Site& site = w.sites[in.site];
    bool is_new = false;
    Finding& f = add_finding(*w.worker, w.block, kind, line_of(w, site), site.access, reason, is_new);
    if (!is_new) return nullptr;
    const Cluster& cluster = *w.block->seat->cluster;
    f.place = place_of(w, lane, site);
    f.value = rank;
    f.limit = cluster.blocks.size();
    if (rank >= cluster.blocks.size()) return &f;
    f.has_other = true;
    f.other.block = place_of_block(cluster.linear_index[rank], w.worker->launch->launch->grid);
    return &f;
}

// Until it ends, with what is said if no barrier of the cluster comes before that.
void note_visit(Warp& w, const Inst& in, int lane, ClusterSeat& owner, std::uint32_t arrivals) {
    if (owner.visit && owner.visit->phase >= arrivals + 1) return;
    const Site& site = w.sites[in.site];
    Visit visit;
    visit.phase = arrivals + 1;
    visit.finding.kind = FindingKind::out_of_bounds_shared;
    visit.finding.access = site.access;
    visit.finding.place = place_of(w, lane, site);
    owner.visit = std::move(visit);
}

// Where nothing was written: of an access that reads.
void look_for_written(Warp& w, const Inst& in, int lane, BlockContext& owner, std::uint64_t at, std::uint32_t width) {
    const std::uint32_t first = owner.warps.front().warp.first_sequence;
    for (std::uint64_t unit = at >> w.unit_shift; unit <= (at + width - 1) >> w.unit_shift; ++unit) {
        if (owner.written[unit] >> kStampShift >= first) continue;
        Warp seen = w;  // as it would be if that were its own
        seen.written = owner.written.data();
        seen.first_sequence = first;
        report_unwritten(seen, in, lane, unit << w.unit_shift, 1u << w.unit_shift,
                         static_cast<int>(ptx::Space::shared));
        return;
    }
}

}  // namespace

bool is_in_cluster_of_many(const Warp& w) {
    return w.block->seat != nullptr && w.block->seat->cluster->blocks.size() > 1;
}

BlockContext* owner_of_shared(const Warp& w, std::uint64_t& address) {
    const ClusterSeat* const seat = w.block->seat.get();
    if (seat == nullptr || !names_block(address)) return w.block;
    const std::uint32_t rank = rank_named(address);
    if (rank >= seat->cluster->blocks.size()) return nullptr;
    address &= offset_mask;
    return seat->cluster->blocks[rank];
}

SharedReach reach_shared(Warp& w, const Inst& in, int lane, std::uint64_t& address, std::uint32_t width, bool reads,
                         char*& place) {
    const ClusterSeat* const seat = w.block->seat.get();
    if (seat == nullptr || !names_block(address)) return SharedReach::own;
    const std::uint32_t rank = rank_named(address);
    const Site& site = w.sites[in.site];
    if (rank >= seat->cluster->blocks.size()) {
        begin(w, in, lane, FindingKind::out_of_bounds_shared, FindingReason::no_such_block, rank);
        return SharedReach::none;
    }
    BlockContext* const owner = owner_of_shared(w, address);
    if (owner == w.block) return SharedReach::own;
    const ClusterArrivals& all = seat->arrivals[w.index];
    const std::uint32_t arrivals = all.phase[static_cast<std::size_t>(lane)];
    const bool has_met = arrivals > (all.lanes >> lane & 1);
    if (!has_met && !seat->has_looked)
        begin(w, in, lane, FindingKind::out_of_bounds_shared, FindingReason::not_started, rank);
    if (owner == nullptr) {
        begin(w, in, lane, FindingKind::out_of_bounds_shared, FindingReason::ended, rank);
        return SharedReach::none;
    }
    if (address % width != 0) {
        report_misaligned(w, in, lane, address, width, static_cast<int>(ptx::Space::shared));
        return SharedReach::none;
    }
    if (!inside(address, width, 0, w.shared_bytes)) {
        report_shared_bounds(w, in, lane, address, width);
        return SharedReach::none;
    }
    note_visit(w, in, lane, *owner->seat, arrivals);
    if (reads) look_for_written(w, in, lane, *owner, address, width);
    if (site.access != AccessKind::read) {  // before all that a stamp could race with: the tracker judges
        const std::uint32_t stamp = owner->warps.front().warp.first_sequence << kStampShift;
        for (std::uint64_t unit = address >> w.unit_shift; unit <= (address + width - 1) >> w.unit_shift; ++unit)
            owner->written[unit] = std::max(owner->written[unit], stamp);
    }
    place = owner->shared.data() + address;
    return SharedReach::other;
}

bool move_shared(Warp& w, const Inst& in, int lane, std::uint64_t& address, std::uint32_t element_bytes, int vector) {
    char* place = nullptr;
    const bool is_load = w.sites[in.site].access == AccessKind::read;
    const SharedReach reach =
        reach_shared(w, in, lane, address, element_bytes * static_cast<std::uint32_t>(vector), is_load, place);
    if (reach == SharedReach::own) return false;
    for (int v = 0; v < vector && reach == SharedReach::other; ++v, place += element_bytes) {
        char* const value = reg<char>(w, in.d[v]) + static_cast<std::uint32_t>(lane) * element_bytes;
        if (is_load)
            std::memcpy(value, place, element_bytes);
        else
            std::memcpy(place, value, element_bytes);
    }
    return true;
}

Dim3 cluster_of(const Program& program, const Launch& launch) {
    const auto kernel = program.by_name.find(launch.kernel);
    Dim3 size = launch.cluster;
    if (size.x == 0 && kernel != program.by_name.end())
        size = program.functions[static_cast<std::size_t>(kernel->second)].cluster;
    // CUDA refuses the others (device/launch_check.hpp).
    constexpr std::uint64_t most_blocks = 16;
    const bool fits = size.x != 0 && size.y != 0 && size.z != 0 && size.x <= most_blocks && size.y <= most_blocks &&
                      size.z <= most_blocks && size.count() <= most_blocks && launch.grid.x % size.x == 0 &&
                      launch.grid.y % size.y == 0 && launch.grid.z % size.z == 0;
    return fits ? size : Dim3{1, 1, 1};
}

namespace {

std::vector<std::uint64_t> blocks_of(const Dim3& grid, const Dim3& size, std::uint64_t linear) {
    const Dim3 at = place_of_block(linear, grid);
    std::vector<std::uint64_t> blocks;
    for (std::uint32_t z = 0; z < size.z; ++z)
        for (std::uint32_t y = 0; y < size.y; ++y)
            for (std::uint32_t x = 0; x < size.x; ++x)
                blocks.push_back(linear_of(
                    {at.x / size.x * size.x + x, at.y / size.y * size.y + y, at.z / size.z * size.z + z}, grid));
    return blocks;
}

}  // namespace

std::vector<std::uint64_t> whole_clusters(const Program& program, const Launch& launch,
                                          std::vector<std::uint64_t> blocks) {
    const Dim3 size = cluster_of(program, launch);
    if (size.count() == 1) return blocks;
    std::vector<std::uint64_t> all;
    for (const std::uint64_t block : blocks) {
        if (std::ranges::find(all, block) != all.end()) continue;
        const std::vector<std::uint64_t> together = blocks_of(launch.grid, size, block);
        all.insert(all.end(), together.begin(), together.end());
    }
    return all;
}

std::vector<std::uint64_t> blocks_of_cluster(const LaunchState& launch, std::uint64_t linear) {
    return blocks_of(launch.launch->grid, launch.cluster, linear);
}

std::uint32_t rank_in_cluster(const LaunchState& launch, const Dim3& block) {
    const Dim3& size = launch.cluster;
    return static_cast<std::uint32_t>(linear_of({block.x % size.x, block.y % size.y, block.z % size.z}, size));
}

bool are_of_one_cluster(const LaunchState& launch, std::uint64_t block, std::uint64_t other) {
    const Dim3 size = launch.cluster, a = place_of_block(block, launch.launch->grid),
               b = place_of_block(other, launch.launch->grid);
    return size.count() > 1 && a.x / size.x == b.x / size.x && a.y / size.y == b.y / size.y &&
           a.z / size.z == b.z / size.z;
}

std::vector<std::uint64_t> one_of_each_cluster(const LaunchState& launch, const std::vector<std::uint64_t>& blocks) {
    std::vector<std::uint64_t> ones;
    for (const std::uint64_t block : blocks)
        if (std::ranges::none_of(
                ones, [&](std::uint64_t one) { return one == block || are_of_one_cluster(launch, block, one); }))
            ones.push_back(block);
    return ones;
}

void seat_cluster(std::vector<std::unique_ptr<BlockContext>>& blocks) {
    auto cluster = std::make_shared<Cluster>();
    for (auto& block : blocks) {
        block->seat = std::make_unique<ClusterSeat>();
        block->seat->cluster = cluster;
        block->seat->rank = static_cast<std::uint32_t>(cluster->blocks.size());
        block->seat->arrivals.resize(block->warps.size());
        cluster->blocks.push_back(block.get());
        cluster->linear_index.push_back(block->linear);
        for (const WarpState& ws : block->warps) cluster->alive += lanes_in(ws.warp.alive);
    }
}

void retire_from_cluster(Warp& w, std::uint32_t lanes) {
    ClusterSeat& seat = *w.block->seat;
    Cluster& cluster = *seat.cluster;
    const ClusterArrivals& arrivals = seat.arrivals[w.index];
    for (std::uint32_t m = lanes & arrivals.lanes; m != 0; m &= m - 1)
        if (arrivals.phase[static_cast<std::size_t>(__builtin_ctz(m))] == cluster.phase + 1) --cluster.arrived;
    cluster.alive -= lanes_in(lanes);
    // Who has ended is waited for no more; what it did came before.
    RaceTracker* const races = w.block->races;
    if (races != nullptr && (w.alive & ~lanes) == 0) races->arrive(w, cluster.coming, seat.rank, cluster.blocks.size());
    meet_if_all_are_there(cluster);
}

void leave_cluster(Worker& worker, BlockContext& block) {
    ClusterSeat& seat = *block.seat;
    seat.cluster->blocks[seat.rank] = nullptr;
    if (!seat.visit || seat.visit->phase <= seat.waited || seat.has_looked) return;
    const Finding& seen = seat.visit->finding;
    bool is_new = false;
    Finding& f = add_finding(worker, &block, seen.kind, seen.place.line, seen.access, FindingReason::ended, is_new);
    if (!is_new) return;
    f.place = seen.place;
    f.has_other = true;
    f.other.block = block.index;
    f.value = seat.rank;
    f.limit = seat.cluster->blocks.size();
}

bool BlockRunner::wait_for_cluster(BlockContext& block, WarpState& ws, std::size_t index, const Terminator& t) {
    SimtEntry& top = ws.strands[index].stack.back();
    top.pc = t.next;
    if (block.seat == nullptr) return true;
    ClusterSeat& seat = *block.seat;
    ClusterArrivals& arrivals = seat.arrivals[ws.warp.index];
    ++worker_.counts[t.site].requests;
    const std::uint32_t phase = seat.cluster->phase, here = top.mask;
    std::uint32_t early = 0;  // or not arrived: they wait for themselves
    for (std::uint32_t m = here; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const bool has_arrived = (arrivals.lanes >> lane & 1) != 0;
        if (!has_arrived || arrivals.phase[static_cast<std::size_t>(lane)] > phase) early |= 1u << lane;
    }
    arrivals.lanes &= ~(here & ~early);
    if (const std::uint32_t on = here & ~early; on != 0) {
        seat.waited = std::max(seat.waited, phase);
        if (block.races != nullptr) block.races->leave(ws.warp, seat.cluster->met, seat.rank, on);
    }
    if (early == 0) return true;
    if (early == here && ws.strands[index].stack.size() > 1) split_top(ws, index);
    Strand& waiting = ws.strands[early == here ? index : split_off(ws, index, early)];
    waiting.state = StrandState::at_cluster;
    waiting.phase = phase + 1;
    waiting.arrival = &t;
    return early != here;
}

bool BlockRunner::release_from_cluster(BlockContext& block) {
    if (block.seat == nullptr) return false;
    ClusterSeat& seat = *block.seat;
    bool is_any = false;
    for (WarpState& ws : block.warps) {
        std::uint32_t lanes = 0;
        for (Strand& strand : ws.strands) {
            if (strand.state != StrandState::at_cluster || strand.phase > seat.cluster->phase) continue;
            strand.state = StrandState::ready;
            lanes |= strand.stack.back().mask;
        }
        if (lanes == 0) continue;
        is_any = true;
        seat.arrivals[ws.warp.index].lanes &= ~lanes;
        if (block.races != nullptr) block.races->leave(ws.warp, seat.cluster->met, seat.rank, lanes);
        merge_strands(ws);
    }
    if (is_any) seat.waited = std::max(seat.waited, seat.cluster->phase);
    return is_any;
}

bool BlockRunner::give_turn_away(BlockContext& block) const {
    const auto waits = [](const Strand& strand) { return strand.state == StrandState::at_cluster; };
    if (block.seat == nullptr ||
        std::ranges::none_of(block.warps, [&](const WarpState& ws) { return std::ranges::any_of(ws.strands, waits); }))
        return false;
    block.seat->waits = true;
    block.seat->phase_seen = block.seat->cluster->phase;
    return true;
}

void cluster_rows(OpTable& t) {
    t.add("cluster.arrive", "", arrive, arrive);
    t.add("mapa.u64", "u64=u64,u32", map_address<std::uint64_t, true, false>, map_address<std::uint64_t, true, true>);
    t.add("mapa.shared::cluster.u64", "u64=u64,u32", map_address<std::uint64_t, false, false>,
          map_address<std::uint64_t, false, true>);
    t.add("mapa.shared::cluster.u32", "u32=u32,u32", map_address<std::uint32_t, false, false>,
          map_address<std::uint32_t, false, true>);
    t.add("getctarank.u64", "u32=u64", rank_of_address<std::uint64_t, true>, rank_of_address<std::uint64_t, true>);
    t.add("getctarank.shared::cluster.u64", "u32=u64", rank_of_address<std::uint64_t, false>,
          rank_of_address<std::uint64_t, false>);
    t.add("getctarank.shared::cluster.u32", "u32=u32", rank_of_address<std::uint32_t, false>,
          rank_of_address<std::uint32_t, false>);
    t.add("isspacep.shared", "", is_in_own_shared, is_in_own_shared);
}

}  // namespace warpgrade::vgpu
