#include "vgpu/race_clocks.hpp"

#include <bit>
#include <numeric>

namespace warpgrade::vgpu {

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

}  // namespace warpgrade::vgpu
