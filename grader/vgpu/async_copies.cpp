// cp.async: copies are queued, and brought when their warp waits for them.
#include <algorithm>
#include <cstring>
#include <span>

#include "vgpu/race_tracker.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

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

}  // namespace warpgrade::vgpu
