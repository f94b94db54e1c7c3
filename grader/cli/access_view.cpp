#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <set>

#include "cli/explain_view.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {
namespace {

constexpr int sector_bytes = 32;  // sectors as Nsight Compute counts them
constexpr int bank_count = 32;
constexpr int bank_bytes = 4;
constexpr int label_width = 13;
constexpr int cell_width = 10;  // "[########]"

std::vector<int> lanes_of(std::uint32_t mask) {
    std::vector<int> lanes;
    for (int lane = 0; lane < 32; ++lane)
        if ((mask >> lane & 1u) != 0) lanes.push_back(lane);
    return lanes;
}

std::uint64_t address_of(const vgpu::Access& access, int lane) {
    return access.addresses[static_cast<std::size_t>(lane)];
}

// Bytes from each active lane to the next, where it is always the same.
std::optional<std::int64_t> stride_of(const vgpu::Access& access) {
    const std::vector<int> lanes = lanes_of(access.mask);
    if (lanes.size() < 2) return std::nullopt;
    const auto step = [&](std::size_t i) {
        return static_cast<std::int64_t>(address_of(access, lanes[i]) - address_of(access, lanes[i - 1]));
    };
    for (std::size_t i = 2; i < lanes.size(); ++i)
        if (step(i) != step(1)) return std::nullopt;
    return step(1);
}

struct Sector {
    std::uint32_t used_bytes = 0;  // one bit a byte
    std::uint32_t lanes = 0;
};

std::map<std::int64_t, Sector> sectors_of(const vgpu::Access& access) {
    std::map<std::int64_t, Sector> sectors;
    for (const int lane : lanes_of(access.mask)) {
        for (int i = 0; i < access.width_bytes; ++i) {
            // Offsets may be negative, before the buffer: the shift rounds down.
            const auto byte = static_cast<std::int64_t>(address_of(access, lane)) + i;
            Sector& sector = sectors[byte >> 5];
            sector.used_bytes |= 1u << (byte & (sector_bytes - 1));
            sector.lanes |= 1u << lane;
        }
    }
    return sectors;
}

std::string cell_of(const Sector& sector) {
    std::string cell = "[";
    for (int word = 0; word < 8; ++word) {
        const std::uint32_t used = sector.used_bytes >> (word * 4) & 0xFu;
        cell += used == 0xFu ? '#' : used == 0 ? '.' : '+';
    }
    return cell + "]";
}

const char* verb_of(vgpu::AccessKind kind) {
    if (kind == vgpu::AccessKind::write) return "write";
    return kind == vgpu::AccessKind::atomic ? "update" : "read";
}

std::string counted_units(std::uint64_t count, const char* unit) {
    return fmt::format("{} {}{}", count, unit, count == 1 ? "" : "s");
}

std::string global_sentence(const vgpu::Access& access, const std::map<std::int64_t, Sector>& sectors) {
    std::uint64_t used = 0;
    bool is_one_lane_each = true;
    for (const auto& [index, sector] : sectors) {
        used += static_cast<std::uint64_t>(std::popcount(sector.used_bytes));
        is_one_lane_each &= std::popcount(sector.lanes) == 1;
    }
    const std::uint64_t moved = sectors.size() * sector_bytes;
    const std::string bytes = fmt::format(
        "{} bytes move, {} of them {}.", moved,
        used == moved
            ? "all"
            : fmt::format("{} ({} %)", used, number(100.0 * static_cast<double>(used) / static_cast<double>(moved))),
        access.kind == vgpu::AccessKind::write ? "written" : "used");
    const auto stride = stride_of(access);
    if (stride && *stride == 0) return fmt::format("All lanes {} one address: {}", verb_of(access.kind), bytes);
    if (access.units_ideal > 0 && sectors.size() <= access.units_ideal) return "As few as can be: " + bytes;
    const std::string best = access.units_ideal > 0 ? fmt::format(" where {} would do", access.units_ideal) : "";
    if (stride && is_one_lane_each && sectors.size() > 1)
        return fmt::format("Neighbouring lanes are {} bytes apart, so each needs a sector of its own: {}{}. {}",
                           grouped(static_cast<std::uint64_t>(std::abs(*stride))),
                           counted_units(sectors.size(), "sector"), best, bytes);
    const std::string step = stride && std::abs(*stride) > access.width_bytes
                                 ? fmt::format("Neighbouring lanes are {} bytes apart: ", std::abs(*stride))
                                 : "";
    return fmt::format("{}{}{}. {}", step, counted_units(sectors.size(), "sector"), best, bytes);
}

std::string row(const std::string& label, const std::string& text) {
    std::string line = "       " + pad_right(label, label_width - 7) + text;
    while (line.back() == ' ') line.pop_back();
    return line + "\n";
}

std::string global_picture(const vgpu::Access& access, const RenderStyle& style) {
    const auto sectors = sectors_of(access);
    const auto most = static_cast<std::size_t>((style.columns - label_width) / cell_width);
    const bool is_folded = sectors.size() > most;
    const std::size_t head = is_folded ? most - 2 : sectors.size();
    std::string lanes, cells, bytes;
    std::size_t at = 0;
    for (const auto& [index, sector] : sectors) {
        if (at == head && is_folded) {
            lanes += pad_right("", cell_width);
            cells += pad_right("   ...", cell_width);
            bytes += pad_right("", cell_width);
        }
        if (at++ >= head && at != sectors.size()) continue;
        lanes += pad_right(" " + lanes_text(sector.lanes), cell_width);
        cells += cell_of(sector);
        bytes += pad_right(" " + std::to_string(index * sector_bytes), cell_width);
    }
    return row("lanes", lanes) + row("", cells) + row("byte", bytes) +
           wrap_after("       ", global_sentence(access, sectors), style.columns);
}

std::string shared_sentence(const vgpu::Access& access, const std::array<std::set<std::uint64_t>, bank_count>& banks) {
    std::size_t words = 0, deepest = 0;
    int busy = 0;
    for (const auto& bank : banks) {
        words += bank.size();
        deepest = std::max(deepest, bank.size());
        busy += bank.empty() ? 0 : 1;
    }
    const std::uint32_t ideal = std::max(1u, access.units_ideal);
    const std::string cost = counted_units(access.units, "wavefront");
    if (words == 1 && std::popcount(access.mask) > 1)
        return fmt::format("All lanes {} one word: {}.", verb_of(access.kind), cost);
    if (access.units <= ideal)
        return ideal == 1 ? fmt::format("No bank has more than one word to give: {}, no conflict.", cost)
                          : fmt::format("{} is the least for {} bytes a lane: no conflict.", cost, access.width_bytes);
    const auto stride = stride_of(access);
    const std::string step =
        stride && std::abs(*stride) % bank_bytes == 0
            ? fmt::format("Neighbouring lanes are {} words apart, so ", std::abs(*stride) / bank_bytes)
            : "";
    const std::string where =
        fmt::format("{} {} asked for up to {} different words", counted_units(static_cast<std::uint64_t>(busy), "bank"),
                    busy == 1 ? "is" : "are", deepest);
    std::string text = fmt::format("{}{}, and these take turns: {} where {} would do.", step, where, cost, ideal);
    return text;
}

std::string shared_picture(const vgpu::Access& access, const RenderStyle& style) {
    std::array<std::set<std::uint64_t>, bank_count> banks;
    for (const int lane : lanes_of(access.mask)) {
        const std::uint64_t first = address_of(access, lane) / bank_bytes;
        const std::uint64_t last =
            (address_of(access, lane) + static_cast<std::uint64_t>(std::max(1, access.width_bytes)) - 1) / bank_bytes;
        for (std::uint64_t word = first; word <= last; ++word) banks[word % bank_count].insert(word);
    }
    std::string numbers, words;
    for (std::size_t bank = 0; bank < bank_count; ++bank) {
        if (bank % 4 == 0) numbers += fmt::format("{:>2}      ", bank);
        words += banks[bank].empty() ? " ." : fmt::format("{:>2}", banks[bank].size());
    }
    return row("bank", numbers) + row("words", words) +
           wrap_after("       ", shared_sentence(access, banks), style.columns);
}

}  // namespace

std::string lanes_text(std::uint32_t mask) {
    const std::vector<int> lanes = lanes_of(mask);
    if (lanes.empty()) return "none";
    if (lanes.size() == 1) return std::to_string(lanes[0]);
    const int step = lanes[1] - lanes[0];
    for (std::size_t i = 1; i < lanes.size(); ++i)
        if (lanes[i] - lanes[i - 1] != step) return fmt::format("{} lanes", lanes.size());
    if (step == 1) return fmt::format("{}-{}", lanes.front(), lanes.back());
    if (lanes.size() == 2) return fmt::format("{},{}", lanes[0], lanes[1]);
    return fmt::format("{},{}..{}", lanes[0], lanes[1], lanes.back());
}

std::string render_access(const vgpu::Access& access, const RenderStyle& style) {
    if (access.mask == 0) return "";
    const bool is_shared = access.space == ptx::Space::shared;
    const bool is_global = access.space == ptx::Space::global || access.space == ptx::Space::generic;
    if (!is_shared && !is_global) return "";
    const int active = std::popcount(access.mask);
    const std::string who = active == 32 ? "the warp" : counted(static_cast<std::uint64_t>(active), "lane", "lanes");
    const std::string cost = counted_units(access.units, is_shared ? "wavefront" : "sector");
    const bool is_bad = access.units_ideal > 0 && access.units > access.units_ideal;
    const std::string verb = std::string(verb_of(access.kind)) + (active == 32 || active == 1 ? "s" : "");
    std::string out = fmt::format(
        "       {} {} {}: {}\n", who, verb,
        access.buffer.empty() ? (is_shared ? "shared memory" : "global memory") : "`" + escape(access.buffer) + "`",
        paint(cost, is_bad ? Paint::yellow : Paint::green, style));
    return out + (is_shared ? shared_picture(access, style) : global_picture(access, style));
}

}  // namespace warpgrade::cli
