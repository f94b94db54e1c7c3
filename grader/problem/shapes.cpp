#include "problem/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/make_diagnostic.hpp"
#include "problem/pattern.hpp"

namespace warpgrade {

std::int64_t Choices::between(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(hash_of(seed_, count_++) % static_cast<std::uint64_t>(last - first + 1));
}

std::int64_t Choices::rough_between(std::int64_t first, std::int64_t last) {
    const auto is_rough = [](std::int64_t n) { return n % 2 && n % 3 && n % 5 && n % 7 && n % 11; };
    std::int64_t n = between(first, last);
    while (!is_rough(n)) n = n < last ? n + 1 : first;
    return n;
}

std::string shown_type(std::span<const std::string> types) {
    return types.empty() || std::ranges::find(types, "float") != types.end() ? "float" : types.front();
}

Result<Shape> parse_extents(std::string_view text, std::size_t count, std::string_view example) {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    const auto refuse = [&](std::string fact) {
        return make_error(Blame::usage, "bad_shape", fmt::format("`{}` is not a shape of this problem", text), {},
                          {std::move(fact)}, fmt::format("write --shape {}", example));
    };
    Shape shape;
    std::string_view rest = text;
    while (true) {
        while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
        std::int64_t extent = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), extent);
        if (error != std::errc() || extent < 0 || extent > most)
            return refuse(fmt::format("an extent is a whole number from 0 to {}", most));
        shape.extents.push_back(extent);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
        if (rest.empty()) break;
        if (rest.front() != 'x' && rest.front() != 'X')
            return refuse(count == 1 ? "an extent is a whole number, written out" : "extents are separated by `x`");
        rest.remove_prefix(1);
    }
    if (shape.extents.size() != count)
        return refuse(fmt::format("it has {} extent{}, the problem has {}", shape.extents.size(),
                                  shape.extents.size() == 1 ? "" : "s", count));
    return shape;
}

std::uint64_t timing_elements(const TimingLimits& limits, std::uint64_t bytes_each, std::uint64_t share) {
    const auto bytes_in_100_us = static_cast<std::uint64_t>(limits.peak_gb_per_s * 1e9 * 100e-6);
    const std::uint64_t wanted = std::max(4 * limits.l2_bytes, bytes_in_100_us) / bytes_each;
    const std::uint64_t most = std::min(limits.free_bytes / share / bytes_each, std::uint64_t{1} << 28);
    return std::min(wanted, most);
}

}  // namespace warpgrade
