#include "vgpu/need_trace.hpp"

#include <bit>
#include <cstring>
#include <limits>

#include "vgpu/exec.hpp"

namespace warpgrade::vgpu {

void NeedLog::add(const NeedStep& step) {
    if (steps.size() >= most_steps) is_cut = true;
    if (!is_cut) steps.push_back(step);
}

void NeedLog::push(const NeedAccess& access) {
    if (is_cut) return;
    if (accesses.size() >= most_accesses || steps.back().accesses == std::numeric_limits<std::uint16_t>::max()) {
        is_cut = true;
        return;
    }
    ++steps.back().accesses;
    accesses.push_back(access);
}

void NeedLog::add_row(std::uint32_t site, std::uint64_t low, std::uint32_t bytes, std::uint32_t units,
                      std::uint32_t ideal) {
    NeedAccess access;
    access.base = low;
    access.stride = static_cast<std::int32_t>(bytes);
    access.mask = kFullMask;
    access.site = site;
    access.bytes = bytes & 0x7FFFFFFFu;
    access.units = static_cast<std::uint16_t>(units);
    access.ideal = static_cast<std::uint16_t>(ideal);
    push(access);
}

void NeedLog::add_access(std::uint32_t site, const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t bytes,
                         std::uint32_t units, std::uint32_t ideal) {
    if (is_cut || mask == 0 || bytes == 0) return;
    const int lanes = std::popcount(mask);
    NeedAccess access;
    access.base = addresses[0];
    access.mask = mask;
    access.site = site;
    access.bytes = bytes & 0x7FFFFFFFu;
    access.units = static_cast<std::uint16_t>(units);
    access.ideal = static_cast<std::uint16_t>(ideal);
    const std::int64_t stride = lanes > 1 ? static_cast<std::int64_t>(addresses[1] - addresses[0]) : 0;
    std::uint64_t differs = 0, far = 0;
    for (int k = 0; k < lanes; ++k) {
        const std::uint64_t offset = addresses[k] - addresses[0];
        differs |= offset ^ static_cast<std::uint64_t>(k * stride);
        far |= offset + 0x80000000u;
    }
    if (differs == 0 && stride == static_cast<std::int32_t>(stride)) {
        access.stride = static_cast<std::int32_t>(stride);
    } else if ((far >> 32) != 0 || offsets.size() > most_accesses * 8) {
        is_cut = true;  // lanes gigabytes apart, or too many that are no row
        return;
    } else {
        access.has_offsets = 1;
        access.stride = static_cast<std::int32_t>(offsets.size());
        for (int k = 0; k < lanes; ++k)
            offsets.push_back(static_cast<std::int32_t>(static_cast<std::int64_t>(addresses[k] - addresses[0])));
    }
    push(access);
}

namespace {

// Lanes in which two registers differ; a zero of either sign is the same.
template <class T>
std::uint32_t differing(const T* a, const T* b) {
    std::uint32_t lanes = 0;
    for (int i = 0; i < 32; ++i)
        lanes |= static_cast<std::uint32_t>(a[i] != b[i] && static_cast<T>((a[i] | b[i]) << 1) != 0) << i;
    return lanes;
}
std::uint32_t differing(const Warp& w, std::uint32_t a, const void* b, std::uint8_t bytes) {
    return bytes == 4 ? differing(reg<std::uint32_t>(w, a), static_cast<const std::uint32_t*>(b))
                      : differing(reg<std::uint64_t>(w, a), static_cast<const std::uint64_t*>(b));
}
template <class T>
std::uint32_t not_zero(const T* a) {
    std::uint32_t lanes = 0;
    for (int i = 0; i < 32; ++i) lanes |= static_cast<std::uint32_t>(static_cast<T>(a[i] << 1) != 0) << i;
    return lanes;
}
std::uint32_t not_zero(const Warp& w, std::uint32_t a, std::uint8_t bytes) {
    return bytes == 4 ? not_zero(reg<std::uint32_t>(w, a)) : not_zero(reg<std::uint64_t>(w, a));
}

}  // namespace

void NeedLog::look_before(const Warp& w, const Inst& in, const NeedWatch& watch) {
    if (watch.kind == NeedWatch::Kind::value && (in.d[0] == in.a || in.d[0] == in.b || in.d[0] == in.c))
        std::memcpy(before_.data(), reg<std::uint64_t>(w, in.d[0]), std::size_t{32} * watch.bytes);
}

bool NeedLog::look_at(const Warp& w, const Inst& in, const NeedWatch& watch) {
    std::uint8_t& seen = facts.seen[static_cast<std::size_t>(watch.fact)];
    seen |= NeedFacts::has_run;
    switch (watch.kind) {
        case NeedWatch::Kind::predicate: {
            const std::uint32_t p = pred(w, in.d[0]);
            seen |= static_cast<std::uint8_t>(((p & w.mask) != 0 ? 1 : 0) | ((~p & w.mask) != 0 ? 2 : 0));
            return (seen & 3) == 3;
        }
        case NeedWatch::Kind::load: {
            for (int d = 0; d < watch.results; ++d)
                if ((not_zero(w, in.d[d], watch.bytes) & w.mask) != 0) seen |= 1;
            return (seen & 1) != 0;
        }
        case NeedWatch::Kind::sum: {
            const std::uint32_t adds = not_zero(w, in.b, watch.bytes) & w.mask;
            if (adds != 0) seen |= 1;
            if (adds != w.mask && !is_cut && steps.back().accesses != 0 && accesses.back().site - in.site < 3)
                accesses.back().idle = w.mask & ~adds;
            return false;
        }
        case NeedWatch::Kind::value: {
            const std::uint32_t operands[] = {in.a, in.b, in.c};
            for (int k = 0; k < 3; ++k) {
                if (((watch.slots >> k) & 1) == 0 || ((seen >> k) & 1) != 0) continue;
                const void* const operand =
                    operands[k] == in.d[0] ? before_.data() : reg<std::uint64_t>(w, operands[k]);
                if ((differing(w, in.d[0], operand, watch.bytes) & w.mask) != 0)
                    seen |= static_cast<std::uint8_t>(1u << k);
            }
            return (seen & watch.slots) == watch.slots;
        }
    }
    return true;
}

}  // namespace warpgrade::vgpu
