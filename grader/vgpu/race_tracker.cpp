#include "vgpu/race_tracker.hpp"

#include <algorithm>
#include <cstring>

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

RaceTracker::RaceTracker(LaunchState& launch, std::vector<std::uint64_t> watched)
    : launch_(launch),
      watched_(std::move(watched)),
      warps_per_block_(static_cast<std::uint32_t>((launch.launch->block.count() + 31) / 32)),
      warp_count_(warps_of(launch)) {}

void RaceTracker::start(BlockClocks& clocks) const {
    clocks.warps.assign(warps_per_block_, {});
    for (std::uint32_t i = 0; i < warps_per_block_; ++i) {
        clocks.warps[i].knows.own.assign(warps_per_block_, 0);
        clocks.warps[i].knows.own[i] = 1;
    }
    clocks.shared = {};
}

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
    if (into.own.empty()) into.own.assign(warps_per_block_, 0);
    for (std::size_t i = 0; i < from.own.size(); ++i) into.own[i] = std::max(into.own[i], from.own[i]);
    join(into.foreign, from.foreign);
}

void RaceTracker::fence(Warp& w) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    clock.fenced = clock.knows;
    clock.has_just_fenced = true;
    ++clock.knows.own[w.index];
}

void RaceTracker::block_barrier(BlockClocks& clocks) const {
    Knowledge all, fenced;
    for (const WarpClock& warp : clocks.warps) {
        join(all, warp.knows);
        if (!warp.fenced.own.empty()) join(fenced, warp.fenced);
    }
    for (std::uint32_t i = 0; i < warps_per_block_; ++i) {
        clocks.warps[i].knows = all;
        clocks.warps[i].fenced = fenced;
        ++clocks.warps[i].knows.own[i];
    }
}

void RaceTracker::shared_order(Warp& w) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    join(w.block->clocks.shared, clock.knows);
    join(clock.knows, w.block->clocks.shared);
    ++clock.knows.own[w.index];
}

void RaceTracker::learn(Warp& w, const Place& place) const {
    WarpClock& clock = w.block->clocks.warps[w.index];
    if (place.clocks == nullptr || (clock.learned_from == &place && clock.learned_version == place.version)) return;
    join(clock.knows.foreign, place.clocks);
    const std::uint64_t first = w.block->linear * warps_per_block_;
    for (std::uint32_t i = 0; i < warps_per_block_; ++i) {
        if (i != w.index) clock.knows.own[i] = std::max(clock.knows.own[i], (*place.clocks)[first + i]);
    }
    clock.learned_from = &place;
    clock.learned_version = place.version;
}

void RaceTracker::publish(Warp& w, Place& place, const Site& site) {
    WarpClock& clock = w.block->clocks.warps[w.index];
    const Knowledge& known = site.is_release ? clock.knows : clock.fenced;
    if (known.own.empty() || warp_count_ > 4 * kMostWarps) return;
    if (place.clocks == nullptr)
        place.clocks = std::make_shared<std::vector<std::uint32_t>>(warp_count_, 0);
    else if (place.clocks.use_count() > 1)
        place.clocks = std::make_shared<std::vector<std::uint32_t>>(*place.clocks);
    join(place.clocks, known.foreign);
    const std::uint64_t first = w.block->linear * warps_per_block_;
    for (std::uint32_t i = 0; i < warps_per_block_; ++i)
        (*place.clocks)[first + i] = std::max((*place.clocks)[first + i], known.own[i]);
    ++place.version;
    if (site.is_release) ++clock.knows.own[w.index];
}

bool RaceTracker::is_ordered(const Warp& w, const Touch& earlier) const {
    const std::uint64_t warp = earlier.warp - 1, first = w.block->linear * warps_per_block_;
    const Knowledge& knows = w.block->clocks.warps[w.index].knows;
    if (warp >= first && warp < first + warps_per_block_) return knows.own[warp - first] >= earlier.clock;
    return knows.foreign != nullptr && (*knows.foreign)[warp] >= earlier.clock;
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

RaceTracker::Word* RaceTracker::find(std::uint64_t unit) {
    if (!watched_.empty() &&
        !std::binary_search(watched_.begin(), watched_.end(), unit << unit_shift_ & ~std::uint64_t{3}))
        return nullptr;
    // Buffers are gigabytes apart: units of different widths do not meet, but for the shift that is put in front.
    const std::uint64_t page = unit / kPageWords | std::uint64_t{unit_shift_} << 60;
    if (page != last_page_) {
        std::unique_ptr<Page>& found = pages_[page];
        if (found == nullptr) found = std::make_unique<Page>();
        page_ = found.get();
        last_page_ = page;
    }
    return &(*page_)[unit % kPageWords];
}

void RaceTracker::report(Warp& w, const Inst& in, const Site& site, int lane, std::uint64_t address,
                         const Touch& earlier) {
    bool is_same_value = false;
    if (site.access == AccessKind::write && earlier.access == AccessKind::write && in.d[1] == 0 && !site.is_bulk) {
        const char* value = w.base[in.d[0] & 1] + (in.d[0] >> 1) + lane * site.width;
        const Buffer& b = launch_.memory->buffer(launch_.memory->find(address));
        is_same_value = std::memcmp(b.data + (address - b.address), value, site.width) == 0;
    }
    if (Finding* f = begin_global_race(w, site, lane, address, is_same_value)) {
        f->has_other = true;
        f->other_access = earlier.access;
        const std::uint64_t block = (earlier.warp - 1) / warps_per_block_;
        const std::uint32_t thread =
            static_cast<std::uint32_t>((earlier.warp - 1) % warps_per_block_) * 32 + earlier.lane;
        const Dim3 grid = launch_.launch->grid, size = launch_.launch->block;
        f->other.block = {static_cast<std::uint32_t>(block % grid.x),
                          static_cast<std::uint32_t>(block / grid.x % grid.y),
                          static_cast<std::uint32_t>(block / grid.x / grid.y)};
        f->other.thread = {thread % size.x, thread / size.x % size.y, thread / size.x / size.y};
        f->other.line = earlier.line;
        f->other.column = earlier.column;
        f->other.called_from = earlier.called_from;
    }
}

void RaceTracker::touch(Warp& w, const Inst& in, const Site& site, int lane, std::uint64_t address, std::uint32_t bytes,
                        bool is_flag) {
    if (!select_buffer(address) || !inside(address, bytes, low_, high_)) return;
    --touches_left_;
    const bool writes = site.access != AccessKind::read, reads = site.access != AccessKind::write;
    const bool is_strong = site.is_atomic || site.is_volatile || is_flag;
    WarpClock& clock = w.block->clocks.warps[w.index];
    if (is_strong) {
        Place& place = places_[address];
        if (reads) learn(w, place);
        if (writes) publish(w, place, site);
    }
    Touch mine;
    mine.warp = static_cast<std::uint32_t>(w.block->linear * warps_per_block_ + w.index) + 1;
    mine.line = line_of(w, site);
    mine.column = static_cast<std::uint16_t>(site.line > 0 ? site.column : 0);
    mine.called_from = called_from(w, site);
    mine.lane = static_cast<std::uint8_t>(lane);
    mine.access = site.access;
    mine.is_strong = is_strong;
    mine.compares = site.compares;
    mine.clock = clock.knows.own[w.index];
    const std::uint64_t size = std::uint64_t{1} << unit_shift_;
    for (std::uint64_t at = address & ~(size - 1); at < address + bytes; at += size) {
        Word* word = find(at >> unit_shift_);
        if (word == nullptr) continue;
        mine.bytes = 0;
        for (std::uint64_t k = 0; k < size; ++k) {
            if (at + k >= address && at + k < address + bytes) mine.bytes |= static_cast<std::uint8_t>(1u << k);
        }
        const auto meets = [&](const Touch& t) {
            const bool is_first_look =
                (t.compares && mine.access == AccessKind::read) || (mine.compares && t.access == AccessKind::read);
            return t.warp != 0 && t.warp != mine.warp && (t.bytes & mine.bytes) != 0 && !(t.is_strong && is_strong) &&
                   !is_first_look && !is_ordered(w, t);
        };
        if (meets(word->write)) {
            // What it saw by an atomic or a volatile read came before, at this place.
            const auto seen = word->write.is_strong ? clock.seen.find(at) : clock.seen.end();
            if (seen == clock.seen.end() || seen->second != word->version)
                report(w, in, site, lane, address, word->write);
        }
        if (writes) {
            for (const Touch& t : word->reads) {
                if (meets(t)) report(w, in, site, lane, address, t);
            }
            const bool adds_bytes = word->write.warp == mine.warp && word->write.clock == mine.clock;
            const std::uint8_t before = adds_bytes ? word->write.bytes : 0;
            word->write = mine;
            word->write.bytes |= before;
            word->reads = {};
            ++word->version;
        } else {
            if (is_strong) clock.seen[at] = word->version;
            // The new reader stands for every one it knows of; of two others the later one goes.
            std::size_t slot =
                word->reads[0].warp == 0 || word->reads[0].warp == mine.warp || is_ordered(w, word->reads[0]) ? 0 : 1;
            word->reads[slot] = mine;
        }
    }
}

void RaceTracker::access(Warp& w, const Inst& in, const Site& site) {
    if (w.mask == 0) return;
    const auto space = static_cast<ptx::Space>(site.space);
    const bool is_strong = site.is_atomic || site.is_volatile;
    if (space == ptx::Space::shared) {
        if (is_strong) shared_order(w);
        return;
    }
    if (space != ptx::Space::global && space != ptx::Space::generic) return;
    WarpClock& clock = w.block->clocks.warps[w.index];
    const bool is_flag = site.access == AccessKind::write && clock.has_just_fenced && site.width <= 8;
    // cp.async keeps its global address in b, and its offset in d[3].
    const std::uint64_t* address = reg<std::uint64_t>(w, site.is_copy ? in.b : in.a);
    const std::uint64_t offset =
        site.is_copy ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(in.d[3])))
                     : static_cast<std::uint64_t>(in.imm);
    bool has_shared = false;
    for (std::uint32_t m = w.mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const std::uint64_t at = address[lane] + offset;
        if (at < kParamWindow)
            touch(w, in, site, lane, at, site.width, is_flag);
        else
            has_shared = has_shared || at - kSharedWindow < kWindowBytes;
    }
    if (has_shared && is_strong) shared_order(w);
    if (site.access == AccessKind::write) clock.has_just_fenced = false;
}

void RaceTracker::bulk(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t bytes) {
    touch(w, in, w.sites[in.site], lane, address, bytes, false);
}

}  // namespace warpgrade::vgpu
