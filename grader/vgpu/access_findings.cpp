#include "vgpu/access_findings.hpp"

#include <algorithm>

namespace warpgrade::vgpu {

namespace {

// That the addresses of the site are made from; 0 bytes: not known.
Program::SiteArray array_of(const Worker& worker, const Site& site) {
    const Program& program = *worker.launch->program;
    const auto index = static_cast<std::size_t>(&site - program.sites.data());
    return index < program.array_of_site.size() ? program.array_of_site[index] : Program::SiteArray{};
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

}  // namespace

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

bool leaves_array(const Worker& worker, const Site& site, std::uint64_t address) {
    const Program::SiteArray array = array_of(worker, site);
    return array.bytes != 0 && !inside(address, 1, array.offset, std::uint64_t{array.offset} + array.bytes);
}

void describe_shared(Finding& f, const Worker& worker, std::uint64_t address, std::uint32_t width,
                     Program::SiteArray from) {
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

bool belongs(const std::vector<int>* list, int buffer) {
    return list != nullptr && std::find(list->begin(), list->end(), buffer) != list->end();
}

Finding* begin_finding(Warp& w, const Inst& in, FindingKind kind, int lane) {
    const Site& site = w.sites[in.site];
    bool is_new = false;
    Finding& f = add_finding(*w.worker, w.block, kind, line_of(w, site), site.access, FindingReason::none, is_new);
    if (!is_new) return nullptr;
    f.place = place_of(w, lane, site);
    f.is_volatile = site.is_volatile;
    return &f;
}

}  // namespace warpgrade::vgpu
