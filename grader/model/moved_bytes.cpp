#include "model/moved_bytes.hpp"

#include <algorithm>
#include <cstring>

namespace warpgrade {

namespace {

// Calls use(first, bytes) for every run of bytes that was stored to, in at most so many pieces of the buffer, spread
// over all that were touched. Returns how many times as many there are.
template <class Use>
double each_stored_run(const vgpu::Buffer& buffer, Use&& use) {
    constexpr std::size_t most_pieces = 8192;
    if (buffer.shadow == nullptr) return 1;
    const std::size_t step = (buffer.pieces.size() + most_pieces - 1) / most_pieces;
    for (std::size_t p = 0; p < buffer.pieces.size(); p += step) {
        const std::uint64_t from = buffer.pieces[p] * vgpu::Memory::piece_bytes;
        const std::uint64_t to = std::min(from + vgpu::Memory::piece_bytes, buffer.spec.bytes);
        std::uint64_t begin = from;
        const auto end_run = [&](std::uint64_t end, std::uint64_t next) {
            if (begin < end) use(begin, end - begin);
            begin = next;
        };
        for (std::uint64_t at = from; at < to;) {
            const std::uint64_t place = at + buffer.spec.offset_bytes;
            const std::uint32_t written = buffer.shadow[place / 4] & 0xF;
            const std::uint64_t next = std::min(at + 4 - place % 4, to);
            if (written == 0) {
                end_run(at, next);
            } else if (written != 0xF) {
                for (std::uint64_t byte = at; byte < next; ++byte)
                    if (!(written >> ((byte + buffer.spec.offset_bytes) % 4) & 1)) end_run(byte, byte + 1);
            }
            at = next;
        }
        end_run(to, to);
    }
    return static_cast<double>(std::max<std::size_t>(step, 1));
}

}  // namespace

double loaded_bytes(const WorkSample& work, int buffer, const std::vector<double>& units) {
    struct Run {
        std::uint64_t first, end;  // sectors
    };
    std::vector<Run> runs;
    std::vector<double> traced(units.size(), 0);
    for (const MemoryAccess& access : work.accesses) {
        if (!access.is_load) continue;
        for (std::size_t k = access.first_line; k < access.first_line + access.lines; ++k)
            traced[access.site] += __builtin_popcount(work.lines[k].sectors);
    }
    double of_blocks = 0, of_traces = 0;  // sectors that the block has not loaded before
    for (const MemoryAccess& access : work.accesses) {
        if (!access.is_load || access.buffer != buffer) continue;
        for (std::size_t k = access.first_line; k < access.first_line + access.lines; ++k) {
            const LineTouch& touch = work.lines[k];
            if (touch.first == 0) continue;
            of_traces += __builtin_popcount(touch.first);
            of_blocks += __builtin_popcount(touch.first) * units[access.site] / traced[access.site];
            for (std::uint64_t s = 0; s < 4; ++s) {
                if (!(touch.first >> s & 1)) continue;
                const std::uint64_t sector = touch.line * 4 + s;
                if (!runs.empty() && runs.back().end == sector)
                    ++runs.back().end;
                else
                    runs.push_back({sector, sector + 1});
            }
        }
    }
    if (of_traces == 0) return 0;
    std::sort(runs.begin(), runs.end(), [](const Run& x, const Run& y) { return x.first < y.first; });
    std::uint64_t seen = 0, different = 0;  // over all blocks
    for (const Run& run : runs) {
        different += run.end > seen ? run.end - std::max(seen, run.first) : 0;
        seen = std::max(seen, run.end);
    }
    return static_cast<double>(different) / of_traces * of_blocks * sector_bytes;
}

double stored_bytes(const vgpu::Buffer& buffer) {
    std::uint64_t bytes = 0;
    const double times = each_stored_run(buffer, [&](std::uint64_t, std::uint64_t count) { bytes += count; });
    return static_cast<double>(bytes) * times;
}

bool stored_as(const vgpu::Buffer& buffer,
               const std::function<void(std::uint64_t first, std::span<std::byte>)>& expected) {
    std::vector<std::byte> right;
    bool is_right = true;
    each_stored_run(buffer, [&](std::uint64_t first, std::uint64_t count) {
        right.resize(count);
        expected(first, right);
        is_right = is_right && std::memcmp(right.data(), buffer.data + first, count) == 0;
    });
    return is_right;
}

}  // namespace warpgrade
