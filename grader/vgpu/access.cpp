// The slow side of memory accesses: which buffer an address is in, and what the race tracker hears of.
#include <algorithm>
#include <cstring>
#include <span>

#include "vgpu/access_findings.hpp"
#include "vgpu/clusters.hpp"
#include "vgpu/race_tracker.hpp"

namespace warpgrade::vgpu {

// Code of a header counts for the line of the submission that called it.
int line_of(const Warp& w, const Site& site) { return site.line > 0 ? site.line : w.call_line; }
int outer_line_of(const Warp& w, const Site& site) {
    return w.outer_call_line > 0 ? w.outer_call_line : site.outer_line;
}
int called_from(const Warp& w, const Site& site) {
    const int outer = outer_line_of(w, site);
    return outer == line_of(w, site) ? 0 : outer;
}

ThreadPlace place_of(const Warp& w, int lane, const Site& site) {
    ThreadPlace place;
    const Dim3 size = w.worker->launch->launch->block;
    const std::uint32_t thread = w.index * 32 + static_cast<std::uint32_t>(lane);
    place.block = w.block->index;
    place.thread = {thread % size.x, thread / size.x % size.y, thread / size.x / size.y};
    place.line = line_of(w, site);
    place.column = site.line > 0 ? site.column : 0;
    place.called_from = called_from(w, site);
    return place;
}

namespace {

// Whether the launcher reaches it: what kernels name is on the GPU.
bool is_variable_of_host(const LaunchState& launch, int buffer) {
    if (launch.module_buffers == nullptr) return false;
    const auto found = std::find(launch.module_buffers->begin(), launch.module_buffers->end(), buffer);
    return found != launch.module_buffers->end() &&
           !launch.program->is_of_kernels[static_cast<std::size_t>(found - launch.module_buffers->begin())];
}

bool may_touch(const LaunchState& launch, int buffer) {
    const Reach reach = launch.memory->buffer(buffer).spec.reach;
    if (!launch.is_host) return reach != Reach::host;
    return reach != Reach::launches || belongs(launch.host_buffers, buffer) || is_variable_of_host(launch, buffer);
}

}  // namespace

std::span<const std::byte> bytes_at(Warp& w, const Site& site, int lane, std::uint64_t address, std::uint64_t most) {
    const auto of = [&](const void* space, std::uint64_t offset, std::uint64_t bytes) -> std::span<const std::byte> {
        if (offset >= bytes) return {};
        return {static_cast<const std::byte*>(space) + offset, std::min(most, bytes - offset)};
    };
    if (address - kLocalWindow < kWindowBytes)
        return of(w.local + static_cast<std::uint64_t>(lane) * w.local_bytes, address - kLocalWindow, w.local_bytes);
    if (address - kSharedWindow < kWindowBytes) return of(w.shared, address - kSharedWindow, w.shared_bytes);
    const LaunchState& launch = *w.worker->launch;
    Memory& memory = *launch.memory;
    const int index = memory.find(address);
    if (index < 0) return {};
    if (!may_touch(launch, index)) {
        bool is_new = false;
        Finding& f = add_finding(*w.worker, w.block, FindingKind::host_dereference, line_of(w, site), AccessKind::read,
                                 FindingReason::none, is_new);
        if (is_new) {
            f.place = place_of(w, lane, site);
            describe_global(f, *w.worker, address, 1);
            if (belongs(launch.module_buffers, index)) f.reason = FindingReason::variable;
        }
        w.stop = 1;
        return {};
    }
    const Buffer& b = memory.buffer(index);
    const auto bytes = of(b.data, address - b.address, b.spec.bytes);
    if (b.spec.contents) memory.provide(index, address, bytes.size());
    return bytes;
}

std::span<std::byte> host_bytes_at(Warp& w, int lane, std::uint64_t address, std::uint64_t most) {
    if (address - kLocalWindow < w.local_bytes) {
        const std::uint64_t offset = address - kLocalWindow;
        char* const local = w.local + static_cast<std::uint64_t>(lane) * w.local_bytes;
        return {reinterpret_cast<std::byte*>(local) + offset, std::min(most, w.local_bytes - offset)};
    }
    const LaunchState& launch = *w.worker->launch;
    const int index = launch.memory->find(address);
    if (index < 0 || !may_touch(launch, index)) return {};
    const std::span<std::byte> bytes = launch.memory->bytes(index);
    const std::uint64_t offset = address - launch.memory->buffer(index).address;
    return bytes.subspan(offset, std::min<std::uint64_t>(most, bytes.size() - offset));
}

namespace {

// Of a buffer whose contents come piece by piece.
void provide(Warp& w, const SiteCache& c, std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t first = address - c.low, last = first + std::max<std::uint64_t>(bytes, 1) - 1;
    if (bytes > Memory::piece_bytes || c.is_there[first / Memory::piece_bytes] == 0 ||
        c.is_there[last / Memory::piece_bytes] == 0)
        w.worker->launch->memory->provide(c.buffer, address, bytes);
}

}  // namespace

namespace {

// A program's host may be let in where it touches too early: what answers its calls takes note, and says so.
bool is_let_in(const LaunchState& launch, const Warp& w, std::uint32_t site, std::uint64_t address) {
    if (!launch.is_program) return false;
    std::vector<std::byte> where(sizeof address), is_store(1);
    std::memcpy(where.data(), &address, sizeof address);
    is_store[0] = std::byte{w.sites[site].access != AccessKind::read};
    const Session::HostReply reply = (*launch.host_call)(
        {touch_call, {std::move(where), std::move(is_store)}, line_of(w, w.sites[site]), nullptr, launch.work});
    return !reply.stop;
}

}  // namespace

bool find_buffer(Warp& w, std::uint32_t site, std::uint64_t address, std::uint64_t bytes) {
    SiteCache& c = w.caches[site];
    const LaunchState& launch = *w.worker->launch;
    Memory& memory = *launch.memory;
    if (inside(address, bytes, c.low, c.high)) {
        if (c.is_there != nullptr) provide(w, c, address, bytes);
        return true;
    }
    const int index = memory.find(address);
    if (index < 0) return false;
    const Buffer& found = memory.buffer(index);
    if (!found.holds(address, bytes)) return false;
    if (!may_touch(launch, index) && !is_let_in(launch, w, site, address)) return false;
    const AccessKind access = w.sites[site].access;
    // Launches make sure that writable buffers have their shadow before blocks run on several threads.
    const Buffer& b = memory.buffer(index);
    c.low = b.address;
    c.high = b.address + b.spec.bytes;
    c.buffer = index;
    c.is_there = b.spec.contents ? b.is_there.data() : nullptr;
    if (c.is_there != nullptr) provide(w, c, address, bytes);
    c.bias = reinterpret_cast<char*>(b.data) - b.address;
    c.shadow_bias = b.shadow == nullptr ? nullptr : b.shadow - (b.address - b.spec.offset_bytes) / 4;
    c.checks_written = !b.spec.is_written;
    c.is_read_only = b.spec.is_read_only && access != AccessKind::read;
    if (access == AccessKind::read && !b.spec.is_read_only) w.worker->reads_writable = true;
    return true;
}

void provide_lanes(Warp& w, std::uint32_t site, const std::uint64_t* addresses, int count, std::uint32_t width) {
    const SiteCache& c = w.caches[site];
    std::uint64_t known = 0, known_end = 0;  // addresses: most lanes are in the piece of the one before
    for (int k = 0; k < count; ++k) {
        if (inside(addresses[k], width, known, known_end)) continue;
        provide(w, c, addresses[k], width);
        known = addresses[k] - (addresses[k] - c.low) % Memory::piece_bytes;
        known_end = known + Memory::piece_bytes;
    }
}

void note_fence(Warp& w, bool of_block) {
    LaunchState& launch = *w.worker->launch;
    if (w.mask == 0) return;
    if (w.block->races != nullptr) w.block->races->fence(w, of_block);
    if ((launch.races == nullptr || launch.races->is_of_part()) && !of_block) note_published(w);
}
void note_published(Warp& w) {
    LaunchState& launch = *w.worker->launch;
    if (!launch.keeps_published) return;
    if (w.block->linear >= launch.published.size()) launch.published.resize(w.block->linear + 1);
    launch.published[w.block->linear] = true;
}
void note_stored_again(Warp& w) { w.worker->stores_again = true; }
void note_atomic(Warp& w) { w.block->has_seen_atomic = true; }
void note_arrival(Warp& w, std::uint64_t mbarrier) {
    if (RaceTracker* races = w.block->races) races->arrive_at(w, mbarrier);
}
void note_completed(Warp& w, std::uint64_t mbarrier) {
    if (NeedLog* log = w.worker->need.get()) log->mark(NeedStep::barrier_passed);
    if (RaceTracker* races = w.block->races) races->completed_at(w, mbarrier);
}
void note_wait(Warp& w, std::uint64_t mbarrier, std::uint32_t lanes) {
    if (RaceTracker* races = w.block->races) races->waited_at(w, mbarrier, lanes);
}
void note_copied(Warp& w, std::uint32_t site, int lane, std::uint32_t to, std::uint32_t bytes, bool is_there) {
    if (RaceTracker* races = w.block->races) races->copied(w, site, lane, to, bytes, is_there);
}
void note_bulk(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t bytes) {
    if (RaceTracker* races = w.block->races) races->bulk(w, in, lane, address, bytes);
}

// A block's clock starts with the block, so that no block can tell how many were run before it. The start is an hour of
// a GPU's time: a kernel that looks whether it runs here finds no small number.
std::uint64_t read_clock(Warp& w) { return 3'661'234'567'890 + w.block->clock * 4; }

}  // namespace warpgrade::vgpu
