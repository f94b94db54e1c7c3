#include "model/neighbours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <unordered_set>

namespace warpgrade {

namespace {

constexpr std::uint64_t probes = 2;

struct Touched {
    std::unordered_set<std::uint64_t> loaded;  // lines
    std::unordered_set<std::uint64_t> stored;  // sectors
    std::unordered_set<std::uint64_t> open;    // of these, left open
    double bytes = 0;
};

Touched touched_by(const WorkSample& work, const BlockWork& block) {
    Touched t;
    for (std::size_t a = block.first_access; a < block.end_access; ++a) {
        const MemoryAccess& access = work.accesses[a];
        for (std::size_t k = access.first_line; k < access.first_line + access.lines; ++k) {
            const LineTouch& touch = work.lines[k];
            t.bytes += __builtin_popcount(touch.first) * sector_bytes;
            if (!access.is_store) {
                t.loaded.insert(touch.line);
                continue;
            }
            for (int s = 0; s < 4; ++s) {
                const std::uint64_t sector = touch.line * 4 + static_cast<std::uint64_t>(s);
                if (touch.sectors >> s & 1) t.stored.insert(sector);
                if (touch.open >> s & 1) t.open.insert(sector);
            }
        }
    }
    return t;
}

// The first sector that a block reads of a buffer.
std::uint64_t first_loaded(const BlockWork& block, const WorkSample& work, int buffer) {
    std::uint64_t first = ~std::uint64_t{0};
    for (std::size_t a = block.first_access; a < block.end_access; ++a) {
        const MemoryAccess& access = work.accesses[a];
        if (access.is_store || access.buffer != buffer) continue;
        for (std::size_t k = access.first_line; k < access.first_line + access.lines; ++k)
            first = std::min(first,
                             work.lines[k].line * 4 + static_cast<std::uint64_t>(__builtin_ctz(work.lines[k].sectors)));
    }
    return first;
}

// In bytes: how far on in the matrix a block's loads begin than those of the block before; 0 where that cannot be told.
// `work`: a block, the next one, and the one `further` behind it, which tells more exactly unless a row ends in
// between.
double step_of(const WorkSample& work, int buffer, std::size_t first, int further) {
    const auto apart = [&](std::size_t i) {
        const std::uint64_t own = first_loaded(work.blocks[first], work, buffer);
        const std::uint64_t other = first_loaded(work.blocks[first + i], work, buffer);
        return sector_bytes * static_cast<double>(other > own ? other - own : own - other);
    };
    const double next = apart(1), mean = apart(2) / further;
    return std::abs(mean - next) < sector_bytes ? mean : next;
}

// Blocks of the grid between a block and one that may complete the sectors it leaves open, the nearest first: a row of
// the grid; where the grid is one row, a row of the matrix. That is as many blocks as there are steps from block to
// block in the bytes of a row: those of the buffer over one of the extents among the launcher's arguments.
std::vector<std::uint64_t> distances_of(const vgpu::Launch& launch, std::span<const std::vector<std::byte>> arguments,
                                        std::uint64_t buffer_bytes, double step) {
    std::vector<std::uint64_t> distances;
    const std::uint64_t blocks = launch.grid.count();
    const auto add = [&](std::uint64_t apart) {
        if (apart > 1 && apart < blocks) distances.push_back(apart);
    };
    if (launch.grid.x < blocks) add(launch.grid.x);
    for (const std::vector<std::byte>& argument : arguments) {
        std::int32_t extent = 0;
        if (argument.size() != sizeof extent) continue;
        std::memcpy(&extent, argument.data(), sizeof extent);
        if (extent < 2 || step <= 0) continue;
        const auto apart = static_cast<std::uint64_t>(static_cast<double>(buffer_bytes) / extent / step);
        add(apart), add(apart + 1);
    }
    std::sort(distances.begin(), distances.end());
    distances.erase(std::unique(distances.begin(), distances.end()), distances.end());
    return distances;
}

// The buffer that the launcher's first argument points to; -1: none.
int input_of(std::span<const std::vector<std::byte>> arguments, std::span<const AddressRange> buffers) {
    std::uint64_t in = 0;
    if (arguments.empty() || arguments[0].size() != sizeof in) return -1;
    std::memcpy(&in, arguments[0].data(), sizeof in);
    return buffer_of(in, buffers);
}

// `work` has blocks in groups: one, those before and behind it, and those at each distance before and behind it.
Neighbours neighbours_of(const WorkSample& work, const std::vector<std::uint64_t>& distances) {
    const std::size_t group = 3 + 2 * distances.size();
    double ends = 0, continued = 0, stored_ends = 0, stored_on = 0, open = 0, beside = 0, bytes = 0;
    double missing = 0, filled_beside = 0;  // sectors of lines that a block stores only a part of
    std::vector<double> apart(distances.size(), 0), filled_apart(distances.size(), 0);
    for (std::size_t b = 0; b + group <= work.blocks.size(); b += group) {
        std::vector<Touched> around;
        for (std::size_t i = 0; i < group; ++i) around.push_back(touched_by(work, work.blocks[b + i]));
        const Touched& own = around[0];
        for (const std::uint64_t line : own.loaded) {
            if (own.loaded.contains(line + 1)) continue;
            ++ends;
            continued += around[2].loaded.contains(line + 1) || around[2].loaded.contains(line);
        }
        for (const std::uint64_t sector : own.stored) {
            if (own.stored.contains(sector + 1)) continue;
            ++stored_ends;
            stored_on += around[2].stored.contains(sector + 1) || around[2].stored.contains(sector);
        }
        const auto count_storer = [&](std::uint64_t sector, double& by_next, std::vector<double>& by_distant) {
            for (std::size_t i = 1; i < group; i += 2) {
                if (!around[i].stored.contains(sector) && !around[i + 1].stored.contains(sector)) continue;
                ++(i == 1 ? by_next : by_distant[(i - 3) / 2]);
                break;
            }
        };
        for (const std::uint64_t sector : own.open) {
            ++open;
            count_storer(sector, beside, apart);
        }
        std::unordered_set<std::uint64_t> lines;
        for (const std::uint64_t sector : own.stored) lines.insert(sector / 4);
        for (const std::uint64_t line : lines) {
            for (std::uint64_t sector = line * 4; sector < line * 4 + 4; ++sector) {
                if (own.stored.contains(sector)) continue;
                ++missing;
                count_storer(sector, filled_beside, filled_apart);
            }
        }
        bytes += own.bytes / static_cast<double>(work.blocks.size() / group);
    }
    Neighbours n;
    if (ends > 0) n.loads_continue = continued / ends;
    if (stored_ends > 0) n.stores_continue = stored_on / stored_ends;
    if (open > 0) n.completed_beside = beside / open;
    if (missing > 0) n.filled_beside = filled_beside / missing;
    for (std::size_t i = 0; i < distances.size(); ++i) {
        const double between = bytes * static_cast<double>(distances[i]);
        if (apart[i] > 0) n.completed_apart.push_back({apart[i] / open, between});
        if (filled_apart[i] > 0) n.filled_apart.push_back({filled_apart[i] / missing, between});
    }
    return n;
}

}  // namespace

Neighbours look_around(vgpu::Session& session, const vgpu::Program& program, const vgpu::Launch& launch,
                       std::span<const std::vector<std::byte>> arguments, std::span<const AddressRange> buffers,
                       const std::vector<std::uint64_t>& work_counters, vgpu::RunOptions options) {
    const std::uint64_t blocks = launch.grid.count(), row_blocks = launch.grid.x, rows = blocks / row_blocks;
    // The blocks at these places from each of a few blocks in the grid. In the middle of a row of the grid: those at
    // its ends have no neighbours beside them. Nor have the last ones, and those before do not differ from them in
    // this.
    const auto look_at = [&](std::span<const std::int64_t> offsets) {
        vgpu::Sample probe;
        probe.most_steps_a_warp = 256;
        probe.ends_with_trace = true;
        probe.work_counters = work_counters;
        for (std::uint64_t k = 1; k <= probes; ++k) {
            const std::uint64_t own =
                rows > 1 ? rows * k / (probes + 1) * row_blocks + row_blocks / 2 : blocks * k / (probes + 1);
            for (const std::int64_t offset : offsets)
                probe.blocks.push_back(static_cast<std::uint64_t>(std::clamp<std::int64_t>(
                    static_cast<std::int64_t>(own) + offset, 0, static_cast<std::int64_t>(blocks) - 1)));
        }
        options.sample = &probe;
        return work_of(session.run(launch, options).blocks, vgpu::segment_ops(program), buffers);
    };
    double step = 0;
    const int input = input_of(arguments, buffers);
    if (rows == 1 && input >= 0) {
        constexpr int further = 16;
        const WorkSample work = look_at(std::array<std::int64_t, 3>{0, 1, further});
        const bool is_open =
            std::any_of(work.lines.begin(), work.lines.end(), [](const LineTouch& touch) { return touch.open != 0; });
        for (std::size_t first = 0; is_open && first + 2 < work.blocks.size(); first += 3)
            if (const double one = step_of(work, input, first, further); one > 0 && (step == 0 || one < step))
                step = one;
    }
    const std::vector<std::uint64_t> distances =
        distances_of(launch, arguments, input < 0 ? 0 : buffers[static_cast<std::size_t>(input)].bytes, step);
    std::vector<std::int64_t> offsets{0, -1, 1};
    for (const std::uint64_t apart : distances)
        for (const std::int64_t sign : {-1, 1}) offsets.push_back(sign * static_cast<std::int64_t>(apart));
    return neighbours_of(look_at(offsets), distances);
}

}  // namespace warpgrade
