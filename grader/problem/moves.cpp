#include "problem/moves.hpp"

#include <cstring>

namespace warpgrade {

namespace {

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
    const MovedAxis last = axes.back();
    const std::uint64_t lines = last.extent == 0 ? 0 : out.size() / size / last.extent;
    for (std::uint64_t i = 0; i < lines; ++i) {
        const std::uint64_t from = moved_from(axes.first(axes.size() - 1), i);
        line(in.data() + from * size, last.step, out.data() + i * last.extent * size, last.extent);
    }
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
