#include "model/wavefronts.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "model/warp_ops.hpp"

namespace warpgrade {

namespace {

constexpr int banks = 32;
constexpr std::uint64_t bank_bytes = 4;

// Whether every active lane wants what the lane `apart` from it wants, if that one is active.
bool are_pairs_alike(const std::array<std::uint64_t, 32>& of_lane, std::uint32_t mask, int apart) {
    for (int lane = 0; lane < 32; ++lane) {
        const int other = lane ^ apart;
        if (!(mask >> lane & 1) || !(mask >> other & 1)) continue;
        if (of_lane[static_cast<std::size_t>(lane)] != of_lane[static_cast<std::size_t>(other)]) return false;
    }
    return true;
}

}  // namespace

int bank_wavefronts(const LaneAccess& access) {
    std::array<std::array<std::uint64_t, 32>, banks> words;
    std::array<int, banks> count{};
    int most = 0;
    for (const std::uint64_t address : access.addresses) {
        for (std::uint64_t word = address / bank_bytes; word <= (address + access.width - 1) / bank_bytes; ++word) {
            const std::size_t bank = word % banks;
            const auto known = words[bank].begin() + count[bank];
            if (std::find(words[bank].begin(), known, word) != known || count[bank] == 32) continue;
            *known = word;
            most = std::max(most, ++count[bank]);
        }
    }
    return most;
}

int load_wavefronts(const LaneAccess& access) {
    return std::max(bank_wavefronts(access), static_cast<int>(access.width / bank_bytes));
}

int vector_wavefronts(const LaneAccess& access) {
    std::array<std::uint64_t, 32> of_lane{};
    std::size_t next = 0;
    for (int lane = 0; lane < 32; ++lane)
        if (access.mask >> lane & 1) of_lane[static_cast<std::size_t>(lane)] = access.addresses[next++];
    const int lanes_a_part = access.width == 16 ? 8 : access.width == 8 ? 16 : 32;
    const bool go_together =
        lanes_a_part < 32 && (are_pairs_alike(of_lane, access.mask, 1) || are_pairs_alike(of_lane, access.mask, 2));
    const int lanes_at_once = go_together ? 2 * lanes_a_part : lanes_a_part;
    int wavefronts = 0;
    for (int first = 0; first < 32; first += lanes_at_once) {
        std::vector<std::uint64_t> part;
        for (int lane = first; lane < first + lanes_at_once; ++lane)
            if (access.mask >> lane & 1) part.push_back(of_lane[static_cast<std::size_t>(lane)]);
        wavefronts += bank_wavefronts({part, 0, access.width});
    }
    return std::max(wavefronts, 1);
}

std::vector<LineTurns> atomic_turns(const LaneAccess& access) {
    std::map<std::uint64_t, int> on_word;  // by address / width: of a sector one after the other
    for (const std::uint64_t address : access.addresses) ++on_word[address / access.width];
    std::vector<LineTurns> lines;
    std::uint64_t sector = ~std::uint64_t{0};
    int most = 0;  // of the sector
    for (const auto& [word, lanes] : on_word) {
        const std::uint64_t address = word * access.width;
        if (lines.empty() || lines.back().line != address / line_bytes) lines.push_back({address / line_bytes, 0, 0});
        if (sector != address / sector_bytes) most = 0;
        sector = address / sector_bytes;
        LineTurns& line = lines.back();
        line.turns += std::max(0, lanes - most);
        line.same = std::max(line.same, lanes);
        most = std::max(most, lanes);
    }
    return lines;
}

}  // namespace warpgrade
