// The slow side of memory accesses: which buffer an address is in, and what to say when something is wrong.
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "vgpu/runtime.hpp"

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

bool ends_launch(FindingKind kind) {
    switch (kind) {
        case FindingKind::trap:
        case FindingKind::assertion:
        case FindingKind::timeout:
        case FindingKind::unsupported:
        case FindingKind::invalid_call:
        case FindingKind::deadlock: return true;
        default: return false;
    }
}

// Of a lane, where nothing tells the finding from others of its line: one that was reported before only counts. What
// the checker does with it is not the program's work.
constexpr std::uint64_t price_of_repetition = 1;

// One finding for each kind, line, access, reason and detail; the one of the lowest block stays.
Finding& add_finding(Worker& worker, const BlockContext* block, FindingKind kind, int line, AccessKind access,
                     FindingReason reason, bool& is_new, const std::string& detail) {
    const bool is_plain = reason == FindingReason::none && detail.empty();
    Worker::Told& told = worker.told[static_cast<std::size_t>(line) % worker.told.size()];
    worker.spend(is_plain ? price_of_repetition : price::finding);
    if (is_plain && told.finding != nullptr && told.kind == kind && told.line == line && told.access == access) {
        ++told.finding->occurrences;
        is_new = false;
        return *told.finding;
    }
    const std::uint64_t linear = block == nullptr ? 0 : block->linear;
    FindingKey key{kind, line, access, reason, detail};
    if (worker.findings.size() >= kMostFindings && !ends_launch(kind) && !worker.findings.contains(key)) {
        is_new = false;
        return worker.surplus;
    }
    auto [at, inserted] = worker.findings.try_emplace(std::move(key));
    auto& [first_block, finding] = at->second;
    is_new = inserted;
    if (inserted) {
        first_block = linear;
        finding.kind = kind;
        finding.access = access;
        finding.reason = reason;
        finding.detail = detail;
        if (!worker.launch->is_host) finding.kernel = worker.launch->code->display_name;
        finding.place.line = line;
        if (block != nullptr) finding.place.block = block->index;
    } else {
        ++finding.occurrences;
    }
    if (is_plain) told = {kind, line, access, &finding};
    return finding;
}

namespace {

void describe_global(Finding& f, const Worker& worker, std::uint64_t address, std::uint32_t width) {
    const Memory& memory = *worker.launch->memory;
    f.address = address;
    f.width_bytes = static_cast<int>(width);
    const int nearest = memory.find_nearest(address);
    if (nearest < 0) return;
    const Buffer& b = memory.buffer(nearest);
    f.buffer = b.spec.name;
    f.offset_bytes = static_cast<std::int64_t>(address - b.address);
    f.buffer_bytes = b.spec.bytes;
    f.element_bytes = b.spec.element_bytes;
    f.is_freed = b.is_freed;
}

// That the addresses of the site are made from; 0 bytes: not known.
Program::SiteArray array_of(const Worker& worker, const Site& site) {
    const Program& program = *worker.launch->program;
    const auto index = static_cast<std::size_t>(&site - program.sites.data());
    return index < program.array_of_site.size() ? program.array_of_site[index] : Program::SiteArray{};
}

bool leaves_array(const Worker& worker, const Site& site, std::uint64_t address) {
    const Program::SiteArray array = array_of(worker, site);
    return array.bytes != 0 && !inside(address, 1, array.offset, std::uint64_t{array.offset} + array.bytes);
}

void describe_shared(Finding& f, const Worker& worker, std::uint64_t address, std::uint32_t width,
                     Program::SiteArray from = {}) {
    f.address = address;
    f.width_bytes = static_cast<int>(width);
    f.buffer = "shared memory";
    f.offset_bytes = static_cast<std::int64_t>(address);
    f.buffer_bytes = worker.launch->shared_bytes;
    const Code& code = *worker.launch->code;
    // The variable it lies in; or, before the start, the first one, and, past the end, the last one.
    const bool is_before = f.offset_bytes < 0, is_past = !is_before && address >= worker.launch->shared_bytes;
    for (const auto& v : code.shared) {
        const bool is_it = from.bytes != 0 ? v.offset == from.offset
                           : is_before     ? &v == &code.shared.front()
                           : is_past       ? &v == &code.shared.back() && !code.uses_dynamic_shared
                                           : inside(address, 1, v.offset, std::uint64_t{v.offset} + v.bytes);
        if (!is_it) continue;
        f.buffer = variable_name(v.name);
        f.offset_bytes = static_cast<std::int64_t>(address) - v.offset;
        f.buffer_bytes = v.bytes;
    }
}

void tell_shared_bounds(Warp& w, const Site& site, const ThreadPlace& place, std::uint64_t address,
                        std::uint32_t width) {
    bool is_new = false;
    Finding& f = add_finding(*w.worker, w.block, FindingKind::out_of_bounds_shared, line_of(w, site), site.access,
                             FindingReason::none, is_new);
    if (is_new) {
        f.place = place;
        f.is_volatile = site.is_volatile;
        describe_shared(f, *w.worker, address, width, array_of(*w.worker, site));
    }
    // How far all of them reach: one past the last byte asked for, from the start of the array.
    const std::uint64_t start = f.address - static_cast<std::uint64_t>(f.offset_bytes), end = address + width - start;
    if (static_cast<std::int64_t>(end) > 0) f.value = std::max(f.value, end);  // else it begins below the array
}

Finding* begin(Warp& w, const Inst& in, FindingKind kind, int lane) {
    const Site& site = w.sites[in.site];
    bool is_new = false;
    Finding& f = add_finding(*w.worker, w.block, kind, line_of(w, site), site.access, FindingReason::none, is_new);
    if (!is_new) return nullptr;
    f.place = place_of(w, lane, site);
    f.is_volatile = site.is_volatile;
    return &f;
}

// Of the variable that was read, piece by piece.
void note_stored(Finding& f, const Warp& w) {
    if (f.offset_bytes < 0 || static_cast<std::uint64_t>(f.offset_bytes) >= f.buffer_bytes) return;
    const std::uint64_t first = f.address - static_cast<std::uint64_t>(f.offset_bytes);
    for (std::uint64_t at = first; at < first + f.buffer_bytes; at += 1u << w.unit_shift)
        f.stored += w.written[at >> w.unit_shift] >> kStampShift >= w.first_sequence ? '1' : '0';
}

bool belongs(const std::vector<int>* list, int buffer) {
    return list != nullptr && std::find(list->begin(), list->end(), buffer) != list->end();
}

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

namespace {

void describe_local(Finding& f, const Warp& w, std::uint64_t address, std::uint32_t width) {
    f.buffer = local_memory;
    f.address = address;
    f.offset_bytes = static_cast<std::int64_t>(address);
    f.buffer_bytes = w.local_bytes;
    f.width_bytes = static_cast<int>(width);
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

void report_global(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width) {
    const LaunchState& launch = *w.worker->launch;
    const bool is_device_memory = launch.memory->find(address) >= 0;
    const FindingKind kind =
        launch.is_host && is_device_memory ? FindingKind::host_dereference : FindingKind::out_of_bounds;
    if (Finding* f = begin(w, in, kind, lane)) {
        describe_global(*f, *w.worker, address, width);
        if (!launch.is_host && is_device_memory) f->reason = FindingReason::host_memory;
        if (launch.is_host && belongs(launch.module_buffers, launch.memory->find(address)))
            f->reason = FindingReason::variable;
    }
    // A GPU ends such a launch as well, far from all buffers; a stage's kernel goes on, so that all is found.
    const bool is_far = is_device_memory || launch.memory->find_nearest(address) < 0;
    if (launch.is_host || (launch.has_heap && is_far)) w.stop = 1;
}

void report_misaligned(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width, int space) {
    Finding* f = begin(w, in, FindingKind::misaligned, lane);
    if (f == nullptr) return;
    if (space == static_cast<int>(ptx::Space::shared))
        describe_shared(*f, *w.worker, address, width);
    else
        describe_global(*f, *w.worker, address, width);
}

void report_shared_bounds(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width) {
    const Site& site = w.sites[in.site];
    if (names_block(address) && is_in_cluster_of_many(w)) {  // loads, stores and atomics do not come here
        bool is_new = false;
        Finding& f =
            add_finding(*w.worker, w.block, FindingKind::unsupported, line_of(w, site), AccessKind::none,
                        FindingReason::none, is_new, "a copy to another block's shared memory, or an mbarrier there");
        if (is_new) f.place = place_of(w, lane, site);
        w.stop = 1;
        return;
    }
    tell_shared_bounds(w, site, place_of(w, lane, site), address, width);
}

void report_local_bounds(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width) {
    if (Finding* f = begin(w, in, FindingKind::out_of_bounds_local, lane)) describe_local(*f, w, address, width);
}

std::uint32_t report_unwritten_local(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width) {
    if (Finding* f = begin(w, in, FindingKind::uninitialized, lane)) describe_local(*f, w, address, width);
    return w.worker->launch->options->shared_poison;
}

void report_unwritten(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width, int space) {
    const bool is_shared = space == static_cast<int>(ptx::Space::shared);
    if (is_shared && leaves_array(*w.worker, w.sites[in.site], address))
        return report_shared_bounds(w, in, lane, address, width);
    Finding* f = begin(w, in, FindingKind::uninitialized, lane);
    if (f == nullptr) return;
    if (is_shared) {
        describe_shared(*f, *w.worker, address, width);
        note_stored(*f, w);
        for (const WarpState& ws : w.block->warps) {
            for (const AsyncCopy& c : ws.copies) {
                if (address < c.to || address >= c.end()) continue;
                f->reason = FindingReason::awaits_copy;
                f->stored.clear();
            }
        }
    } else {
        describe_global(*f, *w.worker, address, width);
    }
}

void report_read_only(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width) {
    if (Finding* f = begin(w, in, FindingKind::write_to_input, lane)) describe_global(*f, *w.worker, address, width);
}

void check_shared_race(Warp& w, const Inst& in, int lane, std::uint32_t unit, std::uint32_t other, bool other_is_write,
                       bool is_write, bool same_value) {
    const Site& site = w.sites[in.site];
    if (!w.worker->launch->finds_races_by_stamps || !site.checks_races) return;
    const std::uint32_t sequence = other >> kStampShift, kind = other & kStampKind;
    const std::uint32_t other_warp = (other >> 5) & 31, other_lane = other & 31;
    const bool is_same_warp = other_warp == w.index && (other_is_write || kind != kManyWarps);
    // Inside a warp, __syncwarp orders; and what one instruction did to several lanes' words is one event.
    if (is_same_warp && sequence < w.sync_floor) return;
    if (is_same_warp && other_is_write && kind == kAtomicStamp && site.is_atomic) return;
    if (is_same_warp && !other_is_write && kind == 0 && other_lane == static_cast<std::uint32_t>(lane)) return;
    if (other_is_write && kind == kAtomicStamp && site.is_atomic) return;
    if (is_same_warp && other_is_write && is_write && same_value) return;
    // The plain read that a loop round a compare-and-swap begins with.
    const bool is_first_look = w.worker->launch->code->compares_and_swaps &&
                               ((!is_write && kind == kAtomicStamp) || (site.compares && !other_is_write));
    if (is_first_look) return;
    const std::uint64_t address = static_cast<std::uint64_t>(unit) << w.unit_shift;
    if (leaves_array(*w.worker, site, address))
        return tell_shared_bounds(w, site, place_of(w, lane, site), address, site.width);
    bool is_new = false;
    Finding& f = add_finding(*w.worker, w.block, FindingKind::race_shared, line_of(w, site),
                             is_write ? AccessKind::write : AccessKind::read, FindingReason::none, is_new);
    if (!is_new) return;
    f.access = site.access;
    f.place = place_of(w, lane, site);
    describe_shared(f, *w.worker, address, 1u << w.unit_shift);
    f.width_bytes = site.width;
    f.is_volatile = site.is_volatile;
    f.is_same_value = same_value && other_is_write && is_write;
    f.has_other = true;
    f.other_access = !other_is_write ? AccessKind::read : kind == kAtomicStamp ? AccessKind::atomic : AccessKind::write;
    const std::uint32_t thread = other_warp * 32 + other_lane;
    const Dim3 size = w.worker->launch->launch->block;
    f.other.block = w.block->index;
    f.other.thread = {thread % size.x, thread / size.x % size.y, thread / size.x / size.y};
    const auto& sites = other_is_write ? w.block->written_site : w.block->read_site;
    if (!sites.empty()) {
        const Site& from = w.sites[sites[unit]];
        f.other.line = from.line;
        f.other.column = from.column;
        f.other.called_from = from.outer_line == from.line ? 0 : from.outer_line;
        f.is_volatile = f.is_volatile && from.is_volatile;
    }
}

Finding* begin_tracked_shared_race(Warp& w, const Site& site, int lane, std::uint64_t offset, bool same_value) {
    if (leaves_array(*w.worker, site, offset)) {
        tell_shared_bounds(w, site, place_of(w, lane, site), offset, site.width);
        return nullptr;
    }
    const bool is_write = site.access != AccessKind::read;
    bool is_new = false;
    Finding& f = add_finding(*w.worker, w.block, FindingKind::race_shared, line_of(w, site),
                             is_write ? AccessKind::write : AccessKind::read, FindingReason::none, is_new);
    if (!is_new && (!f.is_same_value || same_value)) return nullptr;
    f.access = site.access;
    f.place = place_of(w, lane, site);
    f.is_same_value = same_value;
    describe_shared(f, *w.worker, offset, site.width);
    return &f;
}

Finding* begin_global_race(Warp& w, const Site& site, int lane, std::uint64_t address, bool same_value, bool may_be_old,
                           bool is_across) {
    const bool is_write = site.access != AccessKind::read;
    bool is_new = false;
    Finding& f = add_finding(*w.worker, w.block, FindingKind::race_global, line_of(w, site),
                             is_write ? AccessKind::write : AccessKind::read, FindingReason::none, is_new);
    f.crosses_blocks |= is_across;
    const bool is_mild = same_value || may_be_old;
    if (!is_new && (is_mild || (!f.is_same_value && !f.may_be_old))) return nullptr;
    f.access = site.access;
    f.place = place_of(w, lane, site);
    f.is_same_value = same_value;
    f.may_be_old = may_be_old;
    describe_global(f, *w.worker, address, site.width);
    return &f;
}

Finding race_at(Warp& w, const Site& site, int lane, std::uint64_t address) {
    Finding f;
    f.kind = FindingKind::race_global;
    f.access = site.access;
    f.kernel = w.worker->launch->code->display_name;
    f.place = place_of(w, lane, site);
    f.is_volatile = site.is_volatile;
    describe_global(f, *w.worker, address, site.width);
    return f;
}

void check_global_race(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t other_shadow,
                       bool is_write, bool same_value) {
    const LaunchState& launch = *w.worker->launch;
    if (!launch.options->check_races || launch.is_host) return;
    const std::uint32_t tag = other_shadow >> kTagShift;
    const std::uint64_t other_block = tag - launch.first_tag;
    const Site& site = w.sites[in.site];
    if (tag != w.tag) {
        if (launch.races != nullptr && !launch.races->is_of_part()) return;    // knows better
        if (are_of_one_cluster(launch, w.block->linear, other_block)) return;  // a barrier may be between them
        // Ordered: the other block has had a fence, and this one has looked at something by an atomic or a volatile
        // access.
        if (other_block < launch.published.size() && launch.published[other_block] && w.block->has_seen_atomic) return;
        if (site.is_volatile && !is_write && launch.code->has_global_atomics) return;  // a flag being polled
        if (!is_write && launch.code->compares_and_swaps) return;  // the first look of a loop round a compare-and-swap
    }
    Finding* f = begin_global_race(w, site, lane, address, same_value, false, tag != w.tag);
    if (f == nullptr) return;
    f->other_access = AccessKind::write;
    if (tag == w.tag) return;  // another lane of the same store
    f->has_other = true;
    const Dim3 grid = launch.launch->grid;
    if (tag >= launch.first_tag && other_block < launch.block_count) {
        f->other.block = {static_cast<std::uint32_t>(other_block % grid.x),
                          static_cast<std::uint32_t>(other_block / grid.x % grid.y),
                          static_cast<std::uint32_t>(other_block / grid.x / grid.y)};
    }
}

namespace {

void report_absent(Warp& w, const Inst& in, int lane, std::uint32_t named, bool is_awaited) {
    const Site& site = w.sites[in.site];
    bool is_new = false;
    const FindingReason reason = is_awaited ? FindingReason::awaited : FindingReason::none;
    Finding& f =
        add_finding(*w.worker, w.block, FindingKind::inactive_lane, line_of(w, site), AccessKind::read, reason, is_new);
    if (!is_new) return;
    f.place = place_of(w, __builtin_ctz(w.mask), site);
    f.lane = lane;
    f.mask = named;
}

}  // namespace

// A lane that the mask names has to come, if it has not ended; any other may be read for nothing.
void report_lane(Warp& w, const Inst& in, int lane, std::uint32_t named) {
    report_absent(w, in, lane, named, ((named & w.alive) >> lane & 1) != 0);
}
void report_lane_of_whole_warp(Warp& w, const Inst& in, int lane) { report_absent(w, in, lane, kFullMask, true); }

void report_trap(Warp& w, const Inst& in, FindingReason reason) {
    if (Finding* f = begin(w, in, FindingKind::trap, __builtin_ctz(w.mask))) {
        f->mask = w.mask;
        f->reason = reason;
    }
    w.stop = 1;
}

void report_misuse(Warp& w, const Inst& in, int lane, Misuse misuse, std::uint64_t value, std::uint64_t limit) {
    Finding* f = begin(w, in, FindingKind::undefined_operand, lane);
    if (f == nullptr) return;
    f->misuse = misuse;
    f->value = value;
    f->limit = limit;
}

void report_mbarrier(Warp& w, const Inst& in, int lane, Misuse misuse, std::uint64_t offset) {
    Finding* f = begin(w, in, FindingKind::undefined_operand, lane);
    if (f == nullptr) return;
    f->misuse = misuse;
    describe_shared(*f, *w.worker, offset, 8);
}

void note_segment(Warp& w, std::uint32_t segment, std::uint32_t instructions) {
    BlockTrace* block = w.block->trace;
    if (block == nullptr) return;
    WarpTrace& warp = block->warps[w.index];
    warp.instructions += instructions;
    if (warp.steps.size() >= w.worker->launch->options->sample->most_steps_a_warp) {
        warp.is_cut = true;
        return;
    }
    warp.traced_instructions += instructions;
    warp.steps.push_back({segment, w.mask, 0, 0});
}

void note_values(Warp& w, std::uint32_t values) {
    BlockTrace* block = w.block->trace;
    if (block == nullptr || block->warps[w.index].is_cut) return;
    block->warps[w.index].steps.back().values += values;
}

void record_row(Warp& w, const Inst& in, std::uint64_t low, std::uint32_t width, std::uint32_t units,
                std::uint32_t ideal) {
    if (NeedLog* log = w.worker->need.get()) log->add_row(in.site, low, width, units, ideal);
}

void record_needed(Warp& w, std::uint32_t site, const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                   std::uint32_t units, std::uint32_t ideal) {
    if (NeedLog* log = w.worker->need.get()) log->add_access(site, addresses, mask, width, units, ideal);
}

void record_access(Warp& w, const Inst& in, const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                   std::uint32_t units, std::uint32_t ideal) {
    record_needed(w, in.site, addresses, mask, width, units, ideal);
    if (!w.is_traced()) return;
    if (BlockTrace* block = w.block->trace) {
        WarpTrace& warp = block->warps[w.index];
        if (warp.is_cut) return;
        ++warp.steps.back().accesses;
        warp.accesses.push_back({in.site, mask, width, units, static_cast<std::uint32_t>(block->addresses.size())});
        block->addresses.insert(block->addresses.end(), addresses, addresses + __builtin_popcount(mask));
        return;
    }
    w.worker->recorded = nullptr;
    const RunOptions& options = *w.worker->launch->options;
    constexpr std::uint32_t most = 4096;  // of a block
    const bool is_full = options.trace_whole_blocks ? w.block->warps[w.index].traced++ >=
                                                          most / std::max<std::size_t>(1, w.block->warps.size())
                                                    : w.worker->trace.size() >= most;
    if (is_full) {
        w.worker->trace_is_cut = true;
        return;
    }
    const Site& site = w.sites[in.site];
    Access a;
    a.block = w.block->index;
    a.warp = w.index;
    a.line = site.outer_line;
    a.kind = site.access;
    a.space = static_cast<ptx::Space>(site.space);
    a.width_bytes = static_cast<int>(width);
    a.mask = mask;
    a.units = units;
    a.units_ideal = ideal;
    const bool is_global = a.space != ptx::Space::shared && a.space != ptx::Space::local;
    std::uint64_t base = 0;
    int k = 0;
    for (std::uint32_t m = mask; m != 0; m &= m - 1, ++k) {
        if (is_global && k == 0) {
            const int buffer = w.worker->launch->memory->find_nearest(addresses[0]);
            if (buffer >= 0) {
                base = w.worker->launch->memory->buffer(buffer).address;
                a.buffer = w.worker->launch->memory->buffer(buffer).spec.name;
                a.buffer_bytes = w.worker->launch->memory->buffer(buffer).spec.bytes;
            }
        }
        std::uint64_t at = addresses[k];
        if (!is_global) owner_of_shared(w, at);
        a.addresses[static_cast<std::size_t>(__builtin_ctz(m))] = at - base;
    }
    if (!is_global) {
        Finding place;
        std::uint64_t first = addresses[0];
        owner_of_shared(w, first);
        describe_shared(place, *w.worker, first, width);
        a.buffer = place.buffer;
        a.buffer_bytes = place.buffer_bytes;
        a.buffer_start = first - static_cast<std::uint64_t>(place.offset_bytes);
    }
    w.worker->trace.push_back(std::move(a));
    w.worker->recorded = &w.worker->trace.back();
}

void record_values(Warp& w, const Inst& in, std::uint32_t element_bytes, int vector) {
    Access* const access = std::exchange(w.worker->recorded, nullptr);
    if (access == nullptr) return;
    for (std::uint32_t m = access->mask; m != 0; m &= m - 1) {
        for (int v = 0; v < vector; ++v) {
            const auto* from = reg<std::uint8_t>(w, in.d[v]) + __builtin_ctz(m) * element_bytes;
            access->values.insert(access->values.end(), from, from + element_bytes);
        }
    }
}

// A GPU may have done them at any time: those of a warp that waits for none are done once there are so many.
constexpr std::size_t kMostCopies = 1 << 14;

namespace {

// What is asked at each copy of the warp that makes them: bytes that are copied might change the warp itself, as far as
// a compiler knows.
struct CopyingWarp {
    explicit CopyingWarp(const Warp& w)
        : shared(w.shared),
          read(w.worker->launch->finds_races_by_stamps ? w.read : nullptr),
          written(w.written),
          written_site(w.written_site),
          unit_shift(w.unit_shift),
          barrier_floor(w.barrier_floor),
          stamp(w.sequence << kStampShift | w.index << 5) {}
    char* shared;
    const std::uint32_t* read;
    std::uint32_t *written, *written_site;
    std::uint32_t unit_shift, barrier_floor, stamp;
};

// Between its start and the wait a copy may store at any time: whoever reads there must have read before, and is to be
// known to have.
void check_readers(Warp& w, const CopyingWarp& own, const AsyncCopy& copies) {
    if (own.read == nullptr) return;
    std::uint32_t since_barrier = 0;
    for (std::uint32_t unit = copies.to >> own.unit_shift; unit < copies.end() >> own.unit_shift; ++unit)
        since_barrier |= (own.read[unit] >> kStampShift) >= own.barrier_floor ? 1 : 0;
    for (std::uint32_t k = 0; k < copies.lanes && since_barrier != 0; ++k) {
        const AsyncCopy copy = copies.of_lane(k);
        const std::uint32_t stamp = own.stamp | static_cast<std::uint32_t>(copy.lane);
        for (std::uint32_t unit = copy.to >> own.unit_shift; unit < copy.end() >> own.unit_shift; ++unit) {
            const std::uint32_t read = own.read[unit];
            if ((read >> kStampShift) < own.barrier_floor || ((read ^ stamp) & kStampThread) == 0) continue;
            Inst in;
            in.site = copy.site;
            check_shared_race(w, in, copy.lane, unit, read, false, true, false);
        }
    }
}

}  // namespace

void queue_copies(Warp& w, std::span<const AsyncCopy> copies) {
    WarpState& ws = w.block->warps[w.index];
    if (ws.copies.size() + copies.size() > kMostCopies) wait_all_copies(w);
    const CopyingWarp own(w);
    RaceTracker* const races = w.block->races;
    for (const AsyncCopy& copy : copies) {
        w.extra_work += copy.lanes * (1 + copy.bytes / price::copied_bytes);
        check_readers(w, own, copy);
        if (races != nullptr && races->looks_at_shared())
            for (std::uint32_t k = 0; k < copy.lanes; ++k)
                races->copy_begins(w, copy.site, copy.lane + static_cast<int>(k), copy.to + k * copy.bytes, copy.bytes);
        // Until it is done nobody knows what is there, whatever was before.
        const std::uint32_t first = copy.to >> own.unit_shift, end = copy.end() >> own.unit_shift;
        std::fill(own.written + first, own.written + end, 0u);
    }
    ws.copies.insert(ws.copies.end(), copies.begin(), copies.end());
    ws.uncommitted += static_cast<std::uint32_t>(copies.size());
}

void commit_copies(Warp& w) {
    WarpState& ws = w.block->warps[w.index];
    if (ws.groups.size() >= kMostCopies) wait_all_copies(w);
    ws.groups.push_back(ws.uncommitted);
    ws.uncommitted = 0;
}

namespace {

// Of a lane. True if the bytes were there already.
bool bring(char* shared, const AsyncCopy& copy) {
    std::array<char, 16> bytes{};  // the most that there are
    if (copy.source_bytes > 0) std::memcpy(bytes.data(), copy.from, copy.source_bytes);
    const bool is_there = std::memcmp(shared + copy.to, bytes.data(), copy.bytes) == 0;
    std::memcpy(shared + copy.to, bytes.data(), copy.bytes);
    return is_there;
}

void bring_all(char* shared, const AsyncCopy& copies) {
    if (copies.from == nullptr)
        std::memset(shared + copies.to, 0, copies.end() - copies.to);
    else if (copies.source_bytes == copies.bytes)
        std::memcpy(shared + copies.to, copies.from, copies.end() - copies.to);
    else
        bring(shared, copies);
}

}  // namespace

// Groups are kept by warp, not by lane: lanes of a warp that commit apart are rare, and waiting for more is always
// allowed.
void wait_copies(Warp& w, std::uint32_t groups_left, bool waits_for_uncommitted) {
    WarpState& ws = w.block->warps[w.index];
    RaceTracker* const races = w.block->races;
    if (races != nullptr && groups_left == 0) races->waited_for_copies(w);
    std::uint32_t ready = waits_for_uncommitted ? ws.uncommitted : 0;
    std::size_t done = ws.groups.size() > groups_left ? ws.groups.size() - groups_left : 0;
    for (std::size_t g = 0; g < done; ++g) ready += ws.groups[g];
    ws.groups.erase(ws.groups.begin(), ws.groups.begin() + static_cast<std::ptrdiff_t>(done));
    if (waits_for_uncommitted) ws.uncommitted = 0;
    const CopyingWarp own(w);
    const bool tells_of_each = races != nullptr && races->looks_at_shared();
    for (const AsyncCopy& copies : std::span(ws.copies).first(ready)) {
        check_readers(w, own, copies);
        if (!tells_of_each) bring_all(own.shared, copies);
        for (std::uint32_t k = 0; k < copies.lanes; ++k) {
            const std::uint32_t to = copies.to + k * copies.bytes;
            const std::uint32_t stamp = own.stamp | static_cast<std::uint32_t>(copies.lane + static_cast<int>(k));
            for (std::uint32_t unit = to >> own.unit_shift; unit < (to + copies.bytes) >> own.unit_shift; ++unit)
                own.written[unit] = stamp;
            if (!tells_of_each) continue;
            const AsyncCopy copy = copies.of_lane(k);
            races->copied(w, copy.site, copy.lane, copy.to, copy.bytes, bring(own.shared, copy));
        }
        if (own.written_site != nullptr)
            for (std::uint32_t unit = copies.to >> own.unit_shift; unit < copies.end() >> own.unit_shift; ++unit)
                own.written_site[unit] = copies.site;
    }
    ws.copies.erase(ws.copies.begin(), ws.copies.begin() + ready);
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
