#include "problem/moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/code_text.hpp"
#include "base/make_diagnostic.hpp"
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

namespace {

// "out[y][x] = in[x][y]": the indices of both buffers, by name.
std::vector<std::string> indices_of(std::string_view text, const std::string& buffer) {
    std::string plain;
    for (const char c : text)
        if (c != ' ') plain += c;
    std::vector<std::string> indices;
    if (!plain.starts_with(buffer + "[")) return indices;
    std::size_t at = buffer.size();
    while (at < plain.size() && plain[at] == '[') {
        const std::size_t end = plain.find(']', at);
        if (end == std::string::npos) return {};
        indices.push_back(plain.substr(at + 1, end - at - 1));
        if (!is_identifier(indices.back())) return {};
        at = end + 1;
    }
    return at == plain.size() ? indices : std::vector<std::string>{};
}

}  // namespace

Result<std::vector<std::size_t>> moves_from(const std::string& text, const ProblemDescription& problem) {
    const DescribedBuffer &in = problem.input(), &out = problem.output();
    const auto refuse = [&](std::string fact) {
        return make_error(Blame::course, "bad_moves", fmt::format("`{}` does not say where elements go", text), {},
                          {std::move(fact)},
                          fmt::format("write it as in moves = \"{}[y][x] = {}[x][y]\"", out.name, in.name));
    };
    std::vector<std::size_t> moves;
    const std::size_t sign = std::min(text.find('='), text.size());
    const auto to = indices_of(text.substr(0, sign), out.name);
    const auto from = indices_of(text.substr(std::min(sign + 1, text.size())), in.name);
    if (to.size() != out.extents.size() || from.size() != in.extents.size() || to.size() != from.size())
        return refuse(
            fmt::format("`{}` has {} extents, `{}` has {}", out.name, out.extents.size(), in.name, in.extents.size()));
    if (in.type != out.type)
        return refuse(fmt::format("elements of `{}` are {}, of `{}` {}", in.name, in.type, out.name, out.type));
    for (std::size_t i = 0; i < from.size(); ++i) {
        const auto at = std::ranges::find(to, from[i]);
        if (at == to.end() || std::ranges::count(from, from[i]) != 1)
            return refuse(fmt::format("each index stands once on both sides: `{}` does not", from[i]));
        const auto axis = static_cast<std::size_t>(at - to.begin());
        if (in.extents[i] != out.extents[axis])
            return refuse(fmt::format("`{}` goes to `{}` in `{}` and to `{}` in `{}`", from[i], in.extents[i], in.name,
                                      out.extents[axis], out.name));
        const auto& known = problem.launcher.parameters;
        if (std::ranges::none_of(known, [&](const auto& p) { return p.name == in.extents[i]; }))
            return refuse(fmt::format("the extent `{}` is not a parameter of the launcher", in.extents[i]));
        moves.push_back(axis);
    }
    return moves;
}

}  // namespace warpgrade
