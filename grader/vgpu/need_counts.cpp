#include "vgpu/need_counts.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "vgpu/code.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

bool is_shared(const Site& site) { return static_cast<ptx::Space>(site.space) == ptx::Space::shared; }

// The distinct sectors of some lanes, or the turns that they take in the banks.
std::uint32_t sectors_of(const NeedLanes& at, std::uint32_t lanes, std::uint32_t bytes) {
    std::array<std::uint64_t, 64> sectors;
    std::size_t n = 0;
    for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
        const std::uint64_t address = at.at[static_cast<std::size_t>(std::countr_zero(m))];
        sectors[n++] = address >> 5;
        if (((address + bytes - 1) >> 5) != (address >> 5)) sectors[n++] = (address + bytes - 1) >> 5;
    }
    std::sort(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(n));
    return static_cast<std::uint32_t>(std::unique(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(n)) -
                                      sectors.begin());
}
std::uint32_t wavefronts_of(const NeedLanes& at, std::uint32_t lanes, std::uint32_t bytes) {
    const std::uint32_t words = std::max(1u, bytes / 4), lanes_a_turn = 32 / words;
    std::uint32_t total = 0;
    for (std::uint32_t first = 0; first < 32; first += lanes_a_turn) {
        std::array<std::vector<std::uint64_t>, 32> banks;
        std::size_t most = 0;
        for (std::uint32_t lane = first; lane < first + lanes_a_turn; ++lane) {
            if (((lanes >> lane) & 1) == 0) continue;
            for (std::uint32_t k = 0; k < words; ++k) {
                const std::uint64_t word = at.at[lane] / 4 + k;
                auto& bank = banks[word % 32];
                if (std::find(bank.begin(), bank.end(), word) == bank.end()) bank.push_back(word);
                most = std::max(most, bank.size());
            }
        }
        total += static_cast<std::uint32_t>(most);
    }
    return total;
}

NeedKind kind_of(const Site& site) {
    const bool shared = is_shared(site);
    switch (site.access) {
        case AccessKind::read: return shared ? NeedKind::shared_load : NeedKind::load;
        case AccessKind::write: return shared ? NeedKind::shared_store : NeedKind::store;
        case AccessKind::atomic: return shared ? NeedKind::shared_atomic : NeedKind::atomic;
        case AccessKind::none: break;
    }
    return NeedKind::barrier;
}

}  // namespace

std::string_view to_string(NeedKind kind) {
    static constexpr std::string_view names[] = {"load",         "store",         "atomic", "shared_load",
                                                 "shared_store", "shared_atomic", "barrier"};
    return names[static_cast<std::size_t>(kind)];
}

NeedCounts::NeedCounts(const Program& program)
    : program_(program), whole_(program.sites.size()), exact_(program.sites.size()), all_(program.sites.size()) {}

void NeedCounts::add(const NeedAccess& access, const NeedLanes& at, std::uint32_t lanes) {
    const Site& site = program_.sites[access.site];
    ++all_[access.site].requests;
    if (lanes == 0) return;
    // Of atomic operations `ideal` is the lanes.
    const bool is_atomic = site.access == AccessKind::atomic;
    const auto some = static_cast<std::uint64_t>(std::popcount(lanes));
    SiteCount& whole = whole_[access.site];
    ++whole.requests;
    whole.units += access.units;
    whole.ideal += is_atomic ? static_cast<std::uint64_t>(std::popcount(access.mask)) : access.ideal;
    SiteCount& exact = exact_[access.site];
    ++exact.requests;
    if (lanes == access.mask || site.is_bulk) {
        exact.units += access.units;
        exact.ideal += is_atomic ? some : access.ideal;
        return;
    }
    exact.units += is_shared(site) ? wavefronts_of(at, lanes, access.bytes) : sectors_of(at, lanes, access.bytes);
    exact.ideal += is_atomic ? some : is_shared(site) ? access.ideal : (some * access.bytes + 31) / 32;
}

void NeedCounts::add_barrier(int site, std::uint64_t warps, bool is_needed) {
    all_[static_cast<std::size_t>(site)].requests += warps;
    if (is_needed) whole_[static_cast<std::size_t>(site)].requests += warps;
}

void NeedCounts::summarise(bool is_shared_used, Needed& needed) {
    for (std::size_t s = 0; s < program_.sites.size(); ++s) {
        const Site& site = program_.sites[s];
        // What a thread keeps for itself in shared memory might be in a register.
        if (is_shared(site) && site.access != AccessKind::none && !is_shared_used && whole_[s].requests != 0) {
            needed.is_shared_private = true;
            whole_[s] = exact_[s] = {};
        }
        if (site.access != AccessKind::none) {
            if (whole_[s].requests != 0) add_site(needed.whole, site, whole_[s]);
            if (exact_[s].requests != 0) add_site(needed.exact, site, exact_[s]);
        }
        note_unneeded(site, all_[s].requests, whole_[s].requests);
    }
    needed.whole.shuffles = needed.exact.shuffles;
    needed.whole.divergent_branches = needed.exact.divergent_branches;
    for (const NeededLaunch& launch : needed.launches) {
        needed.whole.barriers += launch.barriers;
        needed.exact.barriers += launch.needed_barriers;
    }
    for (auto& [key, line] : unneeded_)
        if (line.requests != 0) needed.unneeded.push_back(line);
}

void NeedCounts::note_unneeded(const Site& site, std::uint64_t all, std::uint64_t needed) {
    if (all == 0) return;
    const NeedKind kind = kind_of(site);
    UnneededLine& line = unneeded_[{site.outer_line, kind}];
    line.line = site.outer_line;
    line.kind = kind;
    line.requests += all - needed;
    line.of += all;
}

}  // namespace warpgrade::vgpu
