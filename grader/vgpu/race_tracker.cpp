#include "vgpu/race_tracker.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "vgpu/old_values.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

// Beyond these a launch is tracked only to explain a race that was found: the costs are a record of some 80 bytes a
// word and a vector of all warps for each place that orders blocks.
constexpr std::uint64_t kMostWarps = 8192;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;

// Of a grid that is larger than can be counted, as many as can.
std::uint64_t warps_of(const LaunchState& launch) {
    const std::uint64_t warps = (launch.launch->block.count() + 31) / 32, most = ~std::uint64_t{0};
    return launch.block_count > most / warps ? most : launch.block_count * warps;
}

}  // namespace

bool is_small_enough(const LaunchState& launch) {
    if (launch.is_host || !launch.options->check_races || warps_of(launch) > kMostWarps) return false;
    std::uint64_t bytes = 0;
    for (int i = 0; i < launch.memory->count(); ++i) {
        const Buffer& b = launch.memory->buffer(i);
        if (!b.is_freed && !b.spec.is_read_only) bytes += b.spec.bytes;
    }
    return bytes <= kMostBytes;
}

bool has_part_to_track(const LaunchState& launch) {
    if (launch.is_host || !launch.options->check_races) return false;
    return warps_of(launch) <= (launch.keeps_published ? kMostWarps : std::uint64_t{1} << 24);
}

void RaceTracker::follow_part() {
    most_pages_ = kMostBytes / 4 / kPageWords;
    old_values_ = nullptr;
}

void LaneOrder::meet(std::uint32_t lanes, std::uint32_t alive) {
    const std::uint32_t now = step++;
    if ((alive & ~lanes) == 0) {
        all_met = now;
        met = nullptr;
        return;
    }
    if (met == nullptr) {
        met = std::make_unique<Rows>();
        std::iota(met->row.begin(), met->row.end(), std::uint8_t{0});
    }
    std::uint32_t rows = 0, rows_of_others = 0;
    for (std::size_t i = 0; i < 32; ++i) (((lanes >> i) & 1) != 0 ? rows : rows_of_others) |= 1u << met->row[i];
    if (rows == 0) return;
    // Mostly the lanes that met before, whose row nobody else has. Where all their rows are others' as well, there are
    // fewer rows in use than lanes.
    const std::uint32_t own = rows & ~rows_of_others;
    const int base = std::countr_zero(own != 0 ? own : ~(rows | rows_of_others));
    auto& known = met->known[static_cast<std::size_t>(base)];
    if (own == 0) known = {};
    for (std::uint32_t m = rows & ~(1u << base); m != 0; m &= m - 1) {
        const auto& other = met->known[static_cast<std::size_t>(std::countr_zero(m))];
        for (std::size_t k = 0; k < 32; ++k) known[k] = std::max(known[k], other[k]);
    }
    for (std::size_t i = 0; i < 32; ++i) {
        if (((lanes >> i) & 1) == 0) continue;
        known[i] = now;
        met->row[i] = static_cast<std::uint8_t>(base);
    }
}

RaceTracker::RaceTracker(LaunchState& launch, std::vector<std::uint64_t> watched, bool looks_at_global,
                         bool looks_at_shared, std::int64_t most_touches)
    : launch_(launch),
      watched_(std::move(watched)),
      looks_at_global_(looks_at_global),
      looks_at_shared_(looks_at_shared),
      warps_per_block_(static_cast<std::uint32_t>((launch.launch->block.count() + 31) / 32)),
      warp_count_(warps_of(launch)),
      touches_left_(most_touches) {
    if (looks_at_global_ && watched_.empty()) old_values_ = std::make_unique<OldValues>(launch_.options->old_values_at);
}

RaceTracker::~RaceTracker() = default;

void RaceTracker::start(BlockClocks& clocks) const {
    clocks.warps.clear();
    clocks.warps.resize(warps_per_block_);
    for (std::uint32_t i = 0; i < warps_per_block_; ++i) {
        clocks.warps[i].knows.own.assign(warps_per_block_, 0);
        clocks.warps[i].knows.own[i] = 1;
    }
    clocks.places.clear();
    clocks.last_place = nullptr;
    clocks.bulk_stores.clear();
    clocks.told_copies.clear();
    if (looks_at_shared_) clocks.words.assign((launch_.shared_bytes >> launch_.code->unit_shift) + 16, TrackedWord{});
}

std::uint64_t RaceTracker::first_warp(const Warp& w) const { return w.block->linear * warps_per_block_; }

void RaceTracker::join(SharedClocks& into, const SharedClocks& from) const {
    if (from == nullptr || from == into) return;
    if (into == nullptr) {
        into = from;
        return;
    }
    if (into.use_count() > 1) into = std::make_shared<std::vector<std::uint32_t>>(*into);
    for (std::size_t i = 0; i < into->size(); ++i) (*into)[i] = std::max((*into)[i], (*from)[i]);
}

void RaceTracker::join(Knowledge& into, const Knowledge& from) const {
    if (into.own.empty()) into.own = from.own;
    for (std::size_t i = 0; i < from.own.size(); ++i) into.own[i] = std::max(into.own[i], from.own[i]);
    join(into.foreign, from.foreign);
    if (into.cluster.empty()) into.cluster = from.cluster;
    for (std::size_t i = 0; i < from.cluster.size(); ++i) into.cluster[i] = std::max(into.cluster[i], from.cluster[i]);
}

void RaceTracker::fence(Warp& w, bool is_of_block) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    for (const Knowledge* heard : {&clock.heard, &clock.looked_up})
        join(clock.knows, is_of_block ? Knowledge{heard->own, nullptr, {}} : *heard);
    clock.fenced_in_block = clock.knows;
    if (!is_of_block) {
        clock.fenced = clock.knows;
        clock.heard = {};
        clock.looked_up = {};
    }
    ++clock.knows.own[w.index];
}

void RaceTracker::lanes_met(Warp& w, std::uint32_t lanes) const {
    w.block->clocks.warps[w.index].lanes.meet(lanes, w.alive);
}

void RaceTracker::arrive(Warp& w, BarrierKnowledge& barrier) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    join(barrier.knows, clock.knows);
    join(barrier.heard, clock.heard);
    join(barrier.looked_up, clock.looked_up);
    join(barrier.fenced, clock.fenced);
    join(barrier.fenced_in_block, clock.fenced_in_block);
    ++clock.knows.own[w.index];
}

void RaceTracker::leave(Warp& w, const BarrierKnowledge& barrier, std::uint32_t lanes) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    join(clock.knows, barrier.knows);
    join(clock.heard, barrier.heard);
    join(clock.looked_up, barrier.looked_up);
    join(clock.fenced, barrier.fenced);
    join(clock.fenced_in_block, barrier.fenced_in_block);
    clock.lanes.meet(lanes, w.alive);
}

namespace {

constexpr std::array<Knowledge WarpClock::*, 5> of_warp{&WarpClock::knows, &WarpClock::heard, &WarpClock::looked_up,
                                                        &WarpClock::fenced, &WarpClock::fenced_in_block};
constexpr std::array<Knowledge BarrierKnowledge::*, 5> of_barrier{
    &BarrierKnowledge::knows, &BarrierKnowledge::heard, &BarrierKnowledge::looked_up, &BarrierKnowledge::fenced,
    &BarrierKnowledge::fenced_in_block};

}  // namespace

void RaceTracker::arrive(Warp& w, BarrierKnowledge& barrier, std::uint32_t rank, std::size_t blocks) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    for (std::size_t i = 0; i < of_warp.size(); ++i) {
        Knowledge given = clock.*of_warp[i];
        if (given.own.empty() && given.cluster.empty() && given.foreign == nullptr) continue;
        given.cluster.resize(blocks * warps_per_block_);
        for (std::size_t k = 0; k < given.own.size(); ++k) {
            std::uint32_t& known = given.cluster[rank * warps_per_block_ + k];
            known = std::max(known, given.own[k]);
        }
        given.own.clear();
        join(barrier.*of_barrier[i], given);
    }
    ++clock.knows.own[w.index];
}

void RaceTracker::leave(Warp& w, const BarrierKnowledge& barrier, std::uint32_t rank, std::uint32_t lanes) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    for (std::size_t i = 0; i < of_warp.size(); ++i) {
        const Knowledge& given = barrier.*of_barrier[i];
        Knowledge& into = clock.*of_warp[i];
        join(into, given);
        if (given.cluster.empty()) continue;
        into.own.resize(warps_per_block_);
        for (std::size_t k = 0; k < into.own.size(); ++k)
            into.own[k] = std::max(into.own[k], given.cluster[rank * warps_per_block_ + k]);
    }
    clock.lanes.meet(lanes, w.alive);
}

std::optional<std::size_t> RaceTracker::index_in_cluster(const Warp& w, std::uint64_t warp) const {
    const ClusterSeat* const seat = w.block->seat.get();
    if (seat == nullptr) return std::nullopt;
    const auto& blocks = seat->cluster->linear_index;
    const auto found = std::find(blocks.begin(), blocks.end(), warp / warps_per_block_);
    if (found == blocks.end()) return std::nullopt;
    return static_cast<std::size_t>(found - blocks.begin()) * warps_per_block_ + warp % warps_per_block_;
}

void RaceTracker::arrive_at(Warp& w, std::uint64_t place) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    OrderPlace& order = w.block->clocks.places[place];
    order.block = w.block->linear;
    join(order.in_phase, clock.knows);
    ++clock.knows.own[w.index];
}
void RaceTracker::completed_at(Warp& w, std::uint64_t place) const {
    OrderPlace& order = w.block->clocks.places[place];
    join(order.in_block, order.in_phase);
    order.in_phase = {};
    ++order.version;
}

void RaceTracker::waited_at(Warp& w, std::uint64_t place, std::uint32_t lanes) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    w.block->clocks.told_copies.erase_if([&](const ToldCopy& copy) { return copy.mbarrier == place; });
    const OrderPlace& order = w.block->clocks.places[place];
    if (order.in_block.own.empty()) return;
    join(clock.knows, order.in_block);
    for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
        std::uint32_t& learned = clock.lanes.learned[static_cast<std::size_t>(__builtin_ctz(m))];
        learned = std::max(learned, order.in_block.own[w.index]);
    }
}

void RaceTracker::learn(Warp& w, const OrderPlace& place, Knowledge& into, bool is_block_scope) const {
    if (!is_block_scope && place.clocks != nullptr) {
        join(into.foreign, place.clocks);
        const std::uint64_t first = first_warp(w);
        if (into.own.empty()) into.own.assign(warps_per_block_, 0);
        for (std::uint32_t i = 0; i < warps_per_block_; ++i) {
            if (i != w.index) into.own[i] = std::max(into.own[i], (*place.clocks)[first + i]);
        }
    }
    if (place.block != w.block->linear || place.in_block.own.empty()) return;
    const std::uint32_t mine = into.own.empty() ? 0 : into.own[w.index];
    join(into, place.in_block);
    into.own[w.index] = mine;
}

void RaceTracker::publish(Warp& w, OrderPlace& place, const Site& site, bool is_shared) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    const Knowledge& to_block = site.is_release ? clock.knows : clock.fenced_in_block;
    if (!to_block.own.empty()) {
        if (place.block != w.block->linear) place.in_block = {};
        place.block = w.block->linear;
        join(place.in_block, to_block);
        ++place.version;
    }
    const Knowledge& to_all = site.is_release ? clock.knows : clock.fenced;
    if (!is_shared && !site.is_block_scope && !to_all.own.empty() && warp_count_ <= 4 * kMostWarps) {
        if (place.clocks == nullptr)
            place.clocks = std::make_shared<std::vector<std::uint32_t>>(warp_count_, 0);
        else if (place.clocks.use_count() > 1)
            place.clocks = std::make_shared<std::vector<std::uint32_t>>(*place.clocks);
        join(place.clocks, to_all.foreign);
        const std::uint64_t first = first_warp(w);
        for (std::uint32_t i = 0; i < warps_per_block_; ++i)
            (*place.clocks)[first + i] = std::max((*place.clocks)[first + i], to_all.own[i]);
        for (std::size_t i = 0; i < to_all.cluster.size(); ++i) {
            const std::uint64_t block = w.block->seat->cluster->linear_index[i / warps_per_block_];
            std::uint32_t& known = (*place.clocks)[block * warps_per_block_ + i % warps_per_block_];
            known = std::max(known, to_all.cluster[i]);
        }
        ++place.version;
    }
    if (site.is_release) ++clock.knows.own[w.index];
}

void RaceTracker::strong_access(Warp& w, const Site& site, int lane, OrderPlace& place, bool is_shared) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    if (site.access != AccessKind::write) {
        if (place.block == w.block->linear && !place.in_block.own.empty()) {
            std::uint32_t& learned = clock.lanes.learned[static_cast<std::size_t>(lane)];
            learned = std::max(learned, place.in_block.own[w.index]);
        }
        if (site.is_acquire || clock.learned_from != &place || clock.learned_version != place.version) {
            const bool looks_up = !is_shared && site.access == AccessKind::read;
            learn(w, place,
                  site.is_acquire ? clock.knows
                  : looks_up      ? clock.looked_up
                                  : clock.heard,
                  site.is_block_scope);
            clock.learned_from = &place;
            clock.learned_version = place.version;
        }
    }
    if (site.access != AccessKind::read) publish(w, place, site, is_shared);
}

bool RaceTracker::knows(const Knowledge& knowledge, const Warp& w, const Touch& earlier) const {
    const std::uint64_t warp = earlier.warp - 1, first = first_warp(w);
    if (warp >= first && warp < first + warps_per_block_)
        return !knowledge.own.empty() && knowledge.own[warp - first] >= earlier.clock;
    if (knowledge.foreign != nullptr && (*knowledge.foreign)[warp] >= earlier.clock) return true;
    if (knowledge.cluster.empty()) return false;
    const auto index = index_in_cluster(w, warp);
    return index && knowledge.cluster[*index] >= earlier.clock;
}

RaceTracker::Order RaceTracker::order_of(const Warp& w, const Touch& earlier, int lane) const {
    const WarpClock& clock = w.block->clocks.warps[w.index];
    if (earlier.warp - 1 == first_warp(w) + w.index) {
        const bool is_known = earlier.lane == lane || clock.lanes.is_ordered(lane, earlier.lane, earlier.step) ||
                              clock.lanes.learned[static_cast<std::size_t>(lane)] >= earlier.clock;
        return is_known ? Order::known : Order::none;
    }
    return knows(clock.knows, w, earlier)       ? Order::known
           : knows(clock.heard, w, earlier)     ? Order::heard_of
           : knows(clock.looked_up, w, earlier) ? Order::looked_up
                                                : Order::none;
}

bool RaceTracker::may_meet(const Touch& earlier, const Touch& mine, bool is_shared) const {
    if (earlier.warp == 0 || (earlier.bytes & mine.bytes) == 0) return false;
    const bool is_same_warp = earlier.warp == mine.warp;
    if (is_same_warp && (earlier.lane == mine.lane || earlier.is_mixed || earlier.instruction == mine.instruction))
        return false;
    if (earlier.is_strong && mine.is_strong) {
        const bool is_same_block = (earlier.warp - 1) / warps_per_block_ == (mine.warp - 1) / warps_per_block_;
        const bool is_wide_enough = is_same_block || (!earlier.is_block_scope && !mine.is_block_scope);
        // In step within a warp, and nothing else: the old way of reductions.
        const bool is_in_step = is_shared && is_same_warp && earlier.is_volatile && mine.is_volatile;
        if (is_wide_enough && !is_in_step) return false;
    }
    const bool is_first_look =
        (earlier.compares && mine.access == AccessKind::read) || (mine.compares && earlier.access == AccessKind::read);
    return !is_first_look;
}

void RaceTracker::note_write(TrackedWord& word, const Touch& mine) const {
    const Touch& last = word.write;
    if (!mine.is_strong) {
        // What it was not ordered after has been reported.
        word.plain = {};
        word.others = {};
    } else if (!last.is_strong) {
        if (last.warp != 0) word.plain = last;
    } else if (last.warp != mine.warp) {
        const bool is_same_block = (last.warp - 1) / warps_per_block_ == (mine.warp - 1) / warps_per_block_;
        word.others[is_same_block ? 0 : 1] = last;
        if (!is_same_block) word.others[0] = {};
    }
    word.write = mine;
}

bool RaceTracker::select_buffer(std::uint64_t address) {
    if (address >= low_ && address < high_) return is_tracked_;
    const int index = launch_.memory->find(address);
    if (index < 0) return false;
    const Buffer& b = launch_.memory->buffer(index);
    low_ = b.address;
    high_ = b.address + b.spec.bytes;
    unit_shift_ = b.spec.element_bytes == 1 ? 0 : b.spec.element_bytes == 2 ? 1 : 2;
    is_tracked_ = !b.spec.is_read_only;
    last_page_ = ~std::uint64_t{0};
    return is_tracked_;
}

// What a warp reads of the input is most of what many kernels touch.
bool RaceTracker::is_all_untracked(const Warp& w, const Site& site, const std::uint64_t* address,
                                   std::uint64_t offset) {
    const std::uint64_t first = address[__builtin_ctz(w.mask)] + offset;
    if (first >= kParamWindow || select_buffer(first) || !inside(first, site.width, low_, high_)) return false;
    for (std::uint32_t m = w.mask & (w.mask - 1); m != 0; m &= m - 1)
        if (!inside(address[__builtin_ctz(m)] + offset, site.width, low_, high_)) return false;
    return true;
}

TrackedWord* RaceTracker::find(std::uint64_t unit) {
    if (!watched_.empty() &&
        !std::binary_search(watched_.begin(), watched_.end(), unit << unit_shift_ & ~std::uint64_t{3}))
        return nullptr;
    const std::uint64_t page = page_of(unit, unit_shift_);
    if (page != last_page_) {
        if (most_pages_ != 0 && pages_.size() >= most_pages_ && !pages_.contains(page)) {
            has_left_out_ = true;
            return nullptr;
        }
        std::unique_ptr<Page>& found = pages_[page];
        if (found == nullptr) found = std::make_unique<Page>();
        page_ = found.get();
        last_page_ = page;
    }
    return &(*page_)[unit % kPageWords];
}

namespace {

ThreadPlace place_of(const Touch& touch, const Dim3& grid, const Dim3& size) {
    const std::uint64_t warps = (size.count() + 31) / 32, block = (touch.warp - 1) / warps;
    const std::uint32_t thread = static_cast<std::uint32_t>((touch.warp - 1) % warps) * 32 + touch.lane;
    ThreadPlace place;
    place.block = {static_cast<std::uint32_t>(block % grid.x), static_cast<std::uint32_t>(block / grid.x % grid.y),
                   static_cast<std::uint32_t>(block / grid.x / grid.y)};
    place.thread = {thread % size.x, thread / size.x % size.y, thread / size.x / size.y};
    place.line = touch.line;
    place.column = touch.column;
    place.called_from = touch.called_from;
    return place;
}

// What a lane is about to store; null where that is more than one register.
const char* stored_value(const Warp& w, const Inst& in, const Site& site, int lane) {
    if (site.access != AccessKind::write || in.d[1] != 0 || site.is_copy) return nullptr;
    return w.base[in.d[0] & 1] + (in.d[0] >> 1) + lane * site.width;
}

}  // namespace

std::function<std::optional<ThreadPlace>(std::uint64_t)> RaceTracker::take_last_stores() {
    if (!has_followed_all()) return nullptr;
    // A plan may have thousands of launches that store a word here and there: of most pages little is kept.
    struct Kept {
        std::unique_ptr<Page> page;
        std::vector<std::pair<std::uint64_t, Touch>> words;  // by place in the page, where there is no page
    };
    constexpr std::ptrdiff_t few = kPageWords / 4;
    auto kept = std::make_shared<std::unordered_map<std::uint64_t, Kept>>();
    for (auto& [number, page] : pages_) {
        const auto is_written = [](const TrackedWord& word) { return word.write.warp != 0; };
        const auto count = std::count_if(page->begin(), page->end(), is_written);
        if (count == 0) continue;
        Kept& one = (*kept)[number];
        if (count > few) {
            one.page = std::move(page);
            continue;
        }
        for (std::uint64_t i = 0; i < kPageWords; ++i)
            if (is_written((*page)[i])) one.words.emplace_back(i, (*page)[i].write);
    }
    pages_.clear();
    const Dim3 grid = launch_.launch->grid, size = launch_.launch->block;
    return [kept, grid, size](std::uint64_t address) -> std::optional<ThreadPlace> {
        for (const unsigned shift : {2u, 1u, 0u}) {
            const std::uint64_t unit = address >> shift;
            const auto found = kept->find(page_of(unit, shift));
            if (found == kept->end()) continue;
            const Kept& one = found->second;
            if (one.page != nullptr) {
                const Touch& write = (*one.page)[unit % kPageWords].write;
                if (write.warp != 0) return place_of(write, grid, size);
            }
            for (const auto& [at, write] : one.words)
                if (at == unit % kPageWords) return place_of(write, grid, size);
        }
        return std::nullopt;
    };
}

void RaceTracker::report(Warp& w, const Inst& in, const Site& site, int lane, std::uint64_t address,
                         const Touch& earlier, bool is_shared, bool is_heard_of, bool is_looked_up) {
    bool is_same_value = is_shared && site.is_copy && earlier.access == AccessKind::write && copies_what_is_there_;
    const char* value = earlier.access == AccessKind::write ? stored_value(w, in, site, lane) : nullptr;
    BlockContext* const owner = is_shared ? owner_of_shared(w, address) : nullptr;
    if (value != nullptr && is_shared) {
        is_same_value = inside(address, site.width, 0, w.shared_bytes) &&
                        std::memcmp(owner->shared.data() + address, value, site.width) == 0;
    } else if (value != nullptr) {
        const Buffer& b = launch_.memory->buffer(launch_.memory->find(address));
        is_same_value = std::memcmp(b.data + (address - b.address), value, site.width) == 0;
    }
    const bool is_same_warp = earlier.warp - 1 == first_warp(w) + w.index;
    if (is_same_value && is_same_warp) return;
    Finding* f = is_shared ? begin_tracked_shared_race(w, site, lane, address, is_same_value)
                           : begin_global_race(w, site, lane, address, is_same_value, is_heard_of,
                                               (earlier.warp - 1) / warps_per_block_ != w.block->linear);
    if (f == nullptr) return;
    f->has_other = true;
    f->is_looked_up = is_looked_up;
    f->other_access = earlier.access;
    f->is_volatile = site.is_volatile && earlier.is_volatile;
    f->other = place_of(earlier, launch_.launch->grid, launch_.launch->block);
}

// Of no lane yet.
Touch RaceTracker::touch_of(const Warp& w, const Site& site) const {
    const WarpClock& clock = w.block->clocks.warps[w.index];
    Touch mine;
    mine.warp = static_cast<std::uint32_t>(first_warp(w) + w.index) + 1;
    mine.line = line_of(w, site);
    mine.column = static_cast<std::uint16_t>(site.line > 0 ? site.column : 0);
    mine.called_from = called_from(w, site);
    mine.access = site.access;
    mine.is_strong = site.is_atomic || site.is_volatile;
    mine.is_volatile = site.is_volatile && !site.is_atomic;
    mine.is_block_scope = site.is_block_scope;
    mine.compares = site.compares;
    mine.step = clock.lanes.step;
    mine.instruction = clock.instruction;
    return mine;
}

// A release counts the clock on, so that it is a lane's own.
void RaceTracker::set_lane(const Warp& w, Touch& mine, int lane) const {
    mine.lane = static_cast<std::uint8_t>(lane);
    mine.clock = w.block->clocks.warps[w.index].knows.own[w.index];
}

void RaceTracker::touch_word(Warp& w, const Inst& in, const Site& site, const Touch& mine, std::uint64_t at,
                             TrackedWord& word, std::uint64_t address, bool is_shared) {
    WarpClock& clock = w.block->clocks.warps[w.index];
    const bool writes = site.access != AccessKind::read;
    const Touch& last = word.write;
    // One more of the atomic operations that count in shared memory: they race with each other in no way, and nobody
    // else has been there.
    if (is_shared && site.access == AccessKind::atomic && site.is_atomic && !site.is_seen && last.is_strong &&
        word.plain.warp == 0 && word.reads[0].warp == 0 && word.reads[1].warp == 0) {
        if (last.warp != mine.warp) word.others[0] = last;
        word.write = mine;
        ++word.version;
        return;
    }
    // What it saw by an atomic or a volatile access came before, at this place.
    const auto seen = last.is_strong ? clock.seen.find(at) : clock.seen.end();
    const bool is_seen = seen != clock.seen.end() && seen->second == word.version;
    bool has_raced = false;
    // Two lanes, one store, different values: one of them is left.
    const bool is_one_store = writes && !mine.is_strong && last.warp == mine.warp &&
                              last.instruction == mine.instruction && last.lane != mine.lane &&
                              (last.bytes & mine.bytes) != 0;
    if (is_one_store && is_shared) {
        const char *one = stored_value(w, in, site, last.lane), *other = stored_value(w, in, site, mine.lane);
        if (one != nullptr && std::memcmp(one, other, site.width) != 0)
            report(w, in, site, mine.lane, address, last, is_shared, false);
    } else if (may_meet(last, mine, is_shared)) {
        const Order order = order_of(w, last, mine.lane);
        const bool may_be_early = !is_shared && !writes && !site.is_past_cache;
        const bool may_be_old = may_be_early && order == Order::heard_of && word.has_copies;
        const bool is_looked_up = may_be_early && order == Order::looked_up && !mine.is_strong;
        if (!is_seen && (order == Order::none || may_be_old || is_looked_up))
            report(w, in, site, mine.lane, address, last, is_shared, may_be_old, is_looked_up);
        has_raced = order == Order::none || is_looked_up;
    }
    // Atomic operations order nothing by themselves: what was before the last of them still has to be known.
    for (const Touch* t : {&word.plain, &word.others[0], &word.others[1]}) {
        if (has_raced || is_seen || !may_meet(*t, mine, is_shared) || order_of(w, *t, mine.lane) != Order::none)
            continue;
        report(w, in, site, mine.lane, address, *t, is_shared, false);
        has_raced = true;
    }
    if (!writes) {
        if (mine.is_strong) clock.seen[at] = word.version;
        // The new reader stands for every one it knows of; of two others the later one goes.
        const bool is_first = word.reads[0].warp == 0 || order_of(w, word.reads[0], mine.lane) == Order::known;
        word.reads[is_first ? 0 : 1] = mine;
        return;
    }
    for (const Touch& t : word.reads) {
        if (may_meet(t, mine, is_shared) && order_of(w, t, mine.lane) == Order::none)
            report(w, in, site, mine.lane, address, t, is_shared, false);
        word.has_copies = word.has_copies || (t.warp != 0 && !t.is_strong);
    }
    const bool adds_bytes = last.warp == mine.warp && last.clock == mine.clock && (last.bytes & ~mine.bytes) != 0;
    const std::uint8_t before = adds_bytes ? last.bytes : 0;
    const bool is_mixed = adds_bytes && (last.is_mixed || last.lane != mine.lane);
    note_write(word, mine);
    word.write.bytes |= before;
    word.write.is_mixed = is_mixed;
    word.reads = {};
    ++word.version;
    if (mine.is_strong && site.is_seen && site.access == AccessKind::atomic) clock.seen[at] = word.version;
}

void RaceTracker::touch(Warp& w, const Inst& in, const Site& site, Touch& mine, int lane, std::uint64_t address,
                        std::uint32_t bytes) {
    if (!select_buffer(address) || !inside(address, bytes, low_, high_)) return;
    if (looks_at_global_) --touches_left_;
    const bool is_strong = site.is_atomic || site.is_volatile;
    const bool may_get_old_value = old_values_ != nullptr && is_strong && site.access == AccessKind::read;
    if (may_get_old_value && look_for_old_values(w, site, mine, lane, address, bytes)) return;
    if (is_strong) strong_access(w, site, lane, places_[address], false);
    if (!looks_at_global_) return;
    w.worker->spend(price::tracked_touch);
    set_lane(w, mine, lane);
    if (old_values_ != nullptr && old_values_->tries() && site.access != AccessKind::read)
        for (std::uint64_t word = address & ~std::uint64_t{3}; word < address + bytes; word += 4)
            if (const char* at = word_at(word)) {
                std::uint32_t before = 0;
                std::memcpy(&before, at, 4);
                old_values_->store(word, before, mine);
            }
    const std::uint64_t size = std::uint64_t{1} << unit_shift_;
    for (std::uint64_t at = address & ~(size - 1); at < address + bytes; at += size) {
        TrackedWord* word = find(at >> unit_shift_);
        if (word == nullptr) continue;
        mine.bytes = 0;
        for (std::uint64_t k = 0; k < size; ++k) {
            if (at + k >= address && at + k < address + bytes) mine.bytes |= static_cast<std::uint8_t>(1u << k);
        }
        if (old_values_ != nullptr && site.is_used) look_for_draws(w, mine, *word);
        if (!held_.empty() && site.access != AccessKind::read) look_for_late_changes(w, site, mine, *word, address);
        touch_word(w, in, site, mine, at, *word, address, false);
    }
}

// A word of the buffer looked at last; null where it is not all there.
char* RaceTracker::word_at(std::uint64_t address) const {
    if (!inside(address, 4, low_, high_)) return nullptr;
    const Buffer& b = launch_.memory->buffer(launch_.memory->find(address));
    return b.spec.contents ? nullptr : reinterpret_cast<char*>(b.data) + (address - b.address);
}

bool RaceTracker::look_for_old_values(Warp& w, const Site& site, const Touch& mine, int lane, std::uint64_t address,
                                      std::uint32_t bytes) {
    if ((address & 3) != 0 || (bytes & 3) != 0) return false;
    const SourceSite place{mine.line, mine.column, mine.called_from};
    const auto is_unordered = [&](const Touch& store) {
        return store.warp != 0 && store.is_strong && (store.warp - 1) / warps_per_block_ != w.block->linear &&
               order_of(w, store, lane) == Order::none;
    };
    if (!old_values_->tries()) {
        for (std::uint64_t at = address; at < address + bytes; at += std::uint64_t{1} << unit_shift_) {
            const TrackedWord* word = find(at >> unit_shift_);
            if (word != nullptr && is_unordered(word->write)) old_values_->note(place);
        }
        return false;
    }
    std::vector<std::uint64_t> words;
    for (std::uint64_t at = address; at < address + bytes; at += 4) words.push_back(at);
    const bool is_tried = old_values_->tries(place);
    Touch missed;
    const auto old = old_values_->read(
        mine.warp, words, [&](const Touch& store) { return is_tried && is_unordered(store); }, missed);
    for (const auto& [word, value] : old) {
        char* const at = word_at(word);
        if (at == nullptr) continue;
        std::uint32_t now = 0;
        std::memcpy(&now, at, 4);
        put_back_.emplace_back(at, now);
        has_more_to_do_ = true;
        std::memcpy(at, &value, 4);
    }
    if (old.empty() || old_value_) return !old.empty();
    old_value_ = race_at(w, site, lane, address);
    old_value_->has_other = true;
    old_value_->is_tried = true;
    old_value_->other_access = missed.access;
    old_value_->other = place_of(missed, launch_.launch->grid, launch_.launch->block);
    return true;
}

bool RaceTracker::holds_back() const { return !held_.empty(); }

// Who draws first need not go on first.
void RaceTracker::look_for_draws(Warp& w, const Touch& mine, const TrackedWord& word) {
    const SourceSite place{mine.line, mine.column, mine.called_from};
    if (!old_values_->tries()) {
        const std::set<int>* const lines = launch_.options->drawing_lines;
        if (lines != nullptr && !lines->contains(mine.line)) return;
        const Touch& last = word.write;
        const bool is_other_block = last.warp != 0 && (last.warp - 1) / warps_per_block_ != w.block->linear;
        if (is_other_block && last.is_strong && order_of(w, last, mine.lane) == Order::none)
            old_values_->note_draw(place);
    } else if (old_values_->tries(place) && held_.try_emplace(w.block->linear, mine).second) {
        holds_now_ = has_more_to_do_ = true;
    }
}

void RaceTracker::look_for_late_changes(Warp& w, const Site& site, const Touch& mine, const TrackedWord& word,
                                        std::uint64_t address) {
    if (old_value_) return;
    const auto held = held_.find(w.block->linear);
    if (held == held_.end()) return;
    const Touch& draw = held->second;
    if (mine.line == draw.line && mine.column == draw.column) return;
    const auto is_by_other = [&](const Touch& touch) {
        return touch.warp != 0 && (touch.warp - 1) / warps_per_block_ != w.block->linear &&
               order_of(w, touch, mine.lane) == Order::none;
    };
    if (!is_by_other(word.write) && !is_by_other(word.reads[0]) && !is_by_other(word.reads[1])) return;
    old_value_ = race_at(w, site, mine.lane, address);
    old_value_->has_other = true;
    old_value_->is_held_back = true;
    old_value_->other_access = draw.access;
    old_value_->other = place_of(draw, launch_.launch->grid, launch_.launch->block);
}

bool RaceTracker::finish(Warp& w) {
    put_back();
    has_more_to_do_ = false;
    // What is left of an instruction that only some lanes do, or some strands, is not kept apart.
    return std::exchange(holds_now_, false) && w.block->warps[w.index].strands.size() == 1;
}

void RaceTracker::put_back() {
    for (auto at = put_back_.rbegin(); at != put_back_.rend(); ++at) std::memcpy(at->first, &at->second, 4);
    put_back_.clear();
}

std::vector<SourceSite> RaceTracker::may_be_old() const {
    if (old_values_ == nullptr) return {};
    std::vector<SourceSite> sites = old_values_->noted();
    const std::vector<SourceSite>& draws = old_values_->noted_draws();
    sites.insert(sites.end(), draws.begin(), draws.end());
    return sites;
}

void RaceTracker::touch_shared(Warp& w, const Inst& in, const Site& site, Touch& mine, int lane, std::uint64_t offset,
                               std::uint32_t bytes) {
    BlockContext* const owner = owner_of_shared(w, offset);
    if (owner == nullptr || !inside(offset, bytes, 0, w.shared_bytes)) return;
    BlockClocks& clocks = owner->clocks;
    const bool is_own = owner == w.block;
    if (site.is_atomic || site.is_volatile) {
        // Where nothing was ever left, and nothing is left now, there is nothing to learn.
        const bool leaves_something = site.access != AccessKind::read &&
                                      (site.is_release || !w.block->clocks.warps[w.index].fenced_in_block.own.empty());
        if (leaves_something || !clocks.places.empty())
            strong_access(w, site, lane, clocks.place_at(offset), !is_in_cluster_of_many(w));
    }
    if (!looks_at_shared_) return;
    w.worker->spend(price::tracked_touch);
    --touches_left_;
    set_lane(w, mine, lane);
    if (is_own && !clocks.told_copies.leave_alone(offset, bytes)) look_for_told_copies(w, site, mine, offset, bytes);
    if (is_own && !clocks.bulk_stores.empty() && site.access != AccessKind::read)
        look_for_bulk_stores(w, site, mine, offset, bytes);
    // What a warp has seen there is not what it has seen in its own block's.
    const std::uint64_t seen_at = is_own ? 0 : std::uint64_t{owner->seat->rank + 1} << kRankShift;
    const std::uint64_t size = std::uint64_t{1} << w.unit_shift;
    mine.bytes = 0xFF;
    for (std::uint64_t at = offset & ~(size - 1); at < offset + bytes; at += size)
        touch_word(w, in, site, mine, seen_at | at, clocks.words[at >> w.unit_shift], seen_at | offset, true);
}

// Lanes between the first and the last that ask by a strong load for one word of shared memory, where the last store
// was strong: what the first has seen all have seen, and of those who looked two are remembered.
std::uint32_t RaceTracker::lanes_without_news(Warp& w, const Site& site, const std::uint64_t* address,
                                              std::uint64_t offset) {
    if (!looks_at_shared_ || site.access != AccessKind::read || (!site.is_atomic && !site.is_volatile)) return 0;
    const int first = __builtin_ctz(w.mask), last = 31 - __builtin_clz(w.mask);
    const std::uint32_t between = w.mask & ~(1u << first) & ~(1u << last);
    const std::uint64_t at = address[first] + offset;
    const bool is_generic = static_cast<ptx::Space>(site.space) != ptx::Space::shared;
    if (between == 0 || (is_generic && !is_near(at, kSharedWindow))) return 0;
    for (std::uint32_t m = w.mask; m != 0; m &= m - 1)
        if (address[__builtin_ctz(m)] != address[first]) return 0;
    const std::uint64_t place = is_generic ? at - kSharedWindow : shared_offset(at);
    if (!inside(place, site.width, 0, w.shared_bytes)) return 0;
    BlockClocks& clocks = w.block->clocks;
    const std::uint64_t size = std::uint64_t{1} << w.unit_shift;
    for (std::uint64_t word = place & ~(size - 1); word < place + site.width; word += size)
        if (!clocks.words[word >> w.unit_shift].write.is_strong) return 0;
    const auto lanes = static_cast<std::uint32_t>(__builtin_popcount(between));
    w.worker->spend(price::tracked_touch * lanes);
    touches_left_ -= lanes;
    const OrderPlace& order = clocks.place_at(place);
    if (order.block != w.block->linear || order.in_block.own.empty()) return between;
    for (std::uint32_t m = between; m != 0; m &= m - 1) {
        std::uint32_t& learned = clocks.warps[w.index].lanes.learned[static_cast<std::size_t>(__builtin_ctz(m))];
        learned = std::max(learned, order.in_block.own[w.index]);
    }
    return between;
}

void RaceTracker::access(Warp& w, const Inst& in, const Site& site) {
    if (w.mask == 0) return;
    const auto space = static_cast<ptx::Space>(site.space);
    if (space != ptx::Space::shared && space != ptx::Space::global && space != ptx::Space::generic) return;
    ++w.block->clocks.warps[w.index].instruction;
    // cp.async keeps its global address in b, and its offset in d[3].
    const std::uint64_t* address = reg<std::uint64_t>(w, site.is_copy ? in.b : in.a);
    const std::uint64_t offset =
        site.is_copy ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(in.d[3])))
                     : static_cast<std::uint64_t>(in.imm);
    w.worker->spend(price::spread_row);
    if (space != ptx::Space::shared && is_all_untracked(w, site, address, offset)) return;
    Touch mine = touch_of(w, site);
    Touch of_block = mine;  // in shared memory there is no other scope
    of_block.is_block_scope = false;
    for (std::uint32_t m = w.mask & ~lanes_without_news(w, site, address, offset); m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const std::uint64_t at = address[lane] + offset;
        if (space == ptx::Space::shared)
            touch_shared(w, in, site, of_block, lane, shared_offset(at), site.width);
        else if (at < kParamWindow)
            touch(w, in, site, mine, lane, at, site.width);
        else if (is_near(at, kSharedWindow))
            touch_shared(w, in, site, of_block, lane, at - kSharedWindow, site.width);
    }
}

// A copy of many bytes is a touch of each word.
bool RaceTracker::pays_for(Warp& w, std::uint32_t bytes, unsigned unit_shift) {
    if (touches_left_ <= 0) return false;
    const std::uint64_t words = bytes >> unit_shift;
    w.extra_work += price::tracked_touch * words;
    touches_left_ -= static_cast<std::int64_t>(words);
    return true;
}

void RaceTracker::bulk(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t bytes) {
    if (!looks_at_global_ || !select_buffer(address) || !pays_for(w, bytes, unit_shift_)) return;
    Touch mine = touch_of(w, w.sites[in.site]);
    touch(w, in, w.sites[in.site], mine, lane, address, bytes);
}

// As a read of its own, which later stores have to be ordered after.
void RaceTracker::touch_source(Warp& w, const BulkStore& store) {
    if (!pays_for(w, store.bytes, w.unit_shift)) return;
    Inst in;
    in.site = store.site;
    ++w.block->clocks.warps[w.index].instruction;
    Touch mine = touch_of(w, w.sites[store.site]);
    mine.is_block_scope = false;
    mine.line = store.read.line;
    mine.column = store.read.column;
    mine.called_from = store.read.called_from;
    touch_shared(w, in, w.sites[store.site], mine, store.read.lane, store.from, store.bytes);
}

void RaceTracker::bulk_store(Warp& w, const Inst& in, int lane, std::uint32_t from, std::uint32_t bytes) {
    constexpr std::size_t most_stores = 4096;  // of a block, at once
    std::vector<BulkStore>& stores = w.block->clocks.bulk_stores;
    if (!looks_at_shared_ || !inside(from, bytes, 0, w.shared_bytes) || stores.size() >= most_stores) return;
    BulkStore store;
    store.read = touch_of(w, w.sites[in.site]);
    set_lane(w, store.read, lane);
    store.site = in.site;
    store.from = from;
    store.bytes = bytes;
    touch_source(w, store);
    stores.push_back(store);
}

void RaceTracker::bulk_commit(Warp& w) const {
    const std::uint32_t warp = static_cast<std::uint32_t>(first_warp(w) + w.index) + 1;
    for (BulkStore& store : w.block->clocks.bulk_stores)
        if (store.read.warp == warp && (w.mask >> store.read.lane & 1) != 0) ++store.commits;
}

void RaceTracker::bulk_wait(Warp& w, std::uint32_t groups_left) {
    const std::uint32_t warp = static_cast<std::uint32_t>(first_warp(w) + w.index) + 1;
    std::vector<BulkStore>& stores = w.block->clocks.bulk_stores;
    const auto done = std::stable_partition(stores.begin(), stores.end(), [&](const BulkStore& store) {
        return store.read.warp != warp || (w.mask >> store.read.lane & 1) == 0 || store.commits <= groups_left;
    });
    const std::vector<BulkStore> read(done, stores.end());
    stores.erase(done, stores.end());
    for (const BulkStore& store : read) touch_source(w, store);
}

void RaceTracker::tell_of_copies(Warp& w, int lane, std::uint32_t site, std::uint32_t to, std::uint32_t bytes,
                                 std::uint64_t mbarrier) {
    constexpr std::size_t most_copies = 256;  // of a block, at once
    ToldCopies& copies = w.block->clocks.told_copies;
    if (!looks_at_shared_ || touches_left_ <= 0 || copies.all().size() >= most_copies) return;
    ToldCopy copy{touch_of(w, w.sites[site]), to, bytes, mbarrier};
    set_lane(w, copy.write, lane);
    copies.add(copy);
}

void RaceTracker::waited_for_copies(Warp& w) const {
    const std::uint32_t warp = static_cast<std::uint32_t>(first_warp(w) + w.index) + 1;
    w.block->clocks.told_copies.erase_if([&](const ToldCopy& copy) { return copy.write.warp == warp; });
}

void RaceTracker::look_for_told_copies(Warp& w, const Site& site, const Touch& mine, std::uint64_t offset,
                                       std::uint32_t bytes) {
    for (const ToldCopy& copy : w.block->clocks.told_copies.all()) {
        if (offset >= std::uint64_t{copy.to} + copy.bytes || copy.to >= offset + bytes) continue;
        Finding* const f =
            begin_tracked_shared_race(w, site, mine.lane, std::max<std::uint64_t>(offset, copy.to), false);
        if (f == nullptr) continue;
        f->has_other = true;
        f->other_access = AccessKind::write;
        f->other = place_of(copy.write, launch_.launch->grid, launch_.launch->block);
    }
}

void RaceTracker::look_for_bulk_stores(Warp& w, const Site& site, const Touch& mine, std::uint64_t offset,
                                       std::uint32_t bytes) {
    for (const BulkStore& store : w.block->clocks.bulk_stores) {
        if (offset >= std::uint64_t{store.from} + store.bytes || store.from >= offset + bytes) continue;
        Finding* const f =
            begin_tracked_shared_race(w, site, mine.lane, std::max<std::uint64_t>(offset, store.from), false);
        if (f == nullptr) continue;
        f->has_other = f->is_under_copy = true;
        f->other_access = AccessKind::read;
        f->other = place_of(store.read, launch_.launch->grid, launch_.launch->block);
    }
}

void RaceTracker::copy_begins(Warp& w, std::uint32_t site, int lane, std::uint32_t to, std::uint32_t bytes) {
    if (!looks_at_shared_ || !pays_for(w, bytes, w.unit_shift) || !inside(to, bytes, 0, w.shared_bytes)) return;
    Inst in;
    in.site = site;
    ++w.block->clocks.warps[w.index].instruction;
    Touch mine = touch_of(w, w.sites[site]);
    set_lane(w, mine, lane);
    mine.is_block_scope = false;
    mine.bytes = 0xFF;
    for (std::uint32_t unit = to >> w.unit_shift; unit < (to + bytes) >> w.unit_shift; ++unit)
        for (const Touch& read : w.block->clocks.words[unit].reads)
            if (may_meet(read, mine, true) && order_of(w, read, lane) == Order::none)
                report(w, in, w.sites[site], lane, to, read, true, false);
}

void RaceTracker::copied(Warp& w, std::uint32_t site, int lane, std::uint32_t to, std::uint32_t bytes, bool is_there) {
    if (!looks_at_shared_ || !pays_for(w, bytes, w.unit_shift)) return;
    copies_what_is_there_ = is_there;
    Inst in;
    in.site = site;
    ++w.block->clocks.warps[w.index].instruction;
    Touch mine = touch_of(w, w.sites[site]);
    mine.is_block_scope = false;
    touch_shared(w, in, w.sites[site], mine, lane, to, bytes);
}

}  // namespace warpgrade::vgpu
