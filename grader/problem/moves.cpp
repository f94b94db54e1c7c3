#include "problem/moves.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/parallel.hpp"

namespace warpgrade {

namespace {

constexpr std::size_t parallel_from = std::size_t{1} << 22;  // bytes

template <std::size_t size>
void move_line(const std::byte* from, std::uint64_t step, std::byte* to, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) std::memcpy(to + i * size, from + i * step * size, size);
}

}  // namespace

std::vector<MovedAxis> moved_axes(std::span<const std::size_t> moves, std::span<const std::int64_t> extents) {
    std::vector<MovedAxis> axes(moves.size());
    std::uint64_t step = 1;
    for (std::size_t i = moves.size(); i-- > 0;) {
        axes[moves[i]] = {static_cast<std::uint64_t>(extents[i]), step};
        step *= static_cast<std::uint64_t>(extents[i]);
    }
    return axes;
}

void move_elements(std::span<const MovedAxis> axes, std::size_t size, std::span<const std::byte> in,
                   std::span<std::byte> out) {
    const auto line = size == 1   ? move_line<1>
                      : size == 2 ? move_line<2>
                      : size == 4 ? move_line<4>
                      : size == 8 ? move_line<8>
                                  : move_line<16>;
    // Lines beside each other read elements beside each other: some at a time, and a piece of each, so that what comes
    // into a cache is used while it is there.
    constexpr std::uint64_t lines_at_a_time = 16, piece = 64;
    const MovedAxis last = axes.back();
    const std::uint64_t lines = last.extent == 0 ? 0 : out.size() / size / last.extent;
    const std::uint64_t groups = (lines + lines_at_a_time - 1) / lines_at_a_time;
    const auto move_group = [&](std::size_t group) {
        std::array<std::uint64_t, lines_at_a_time> from{};
        const std::uint64_t begin = group * lines_at_a_time, count = std::min(lines_at_a_time, lines - begin);
        for (std::uint64_t i = 0; i < count; ++i) from[i] = moved_from(axes.first(axes.size() - 1), begin + i);
        for (std::uint64_t k = 0; k < last.extent; k += piece)
            for (std::uint64_t i = 0; i < count; ++i)
                line(in.data() + (from[i] + k * last.step) * size, last.step,
                     out.data() + ((begin + i) * last.extent + k) * size, std::min(piece, last.extent - k));
    };
    for_each_in_parallel(groups, out.size() < parallel_from ? 1 : threads_for(groups), move_group);
}

std::uint64_t moved_from(std::span<const MovedAxis> axes, std::uint64_t index) {
    std::uint64_t from = 0;
    for (std::size_t axis = axes.size(); axis-- > 0;) {
        from += index % axes[axis].extent * axes[axis].step;
        index /= axes[axis].extent;
    }
    return from;
}

}  // namespace warpgrade
