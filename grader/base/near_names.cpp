#include "base/near_names.hpp"

#include <algorithm>
#include <vector>

namespace warpgrade {

int edit_distance(std::string_view a, std::string_view b) {
    const std::size_t width = b.size() + 1;
    std::vector<int> cost((a.size() + 1) * width);
    const auto at = [&](std::size_t i, std::size_t j) -> int& { return cost[i * width + j]; };
    for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = static_cast<int>(i);
    for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int substitution = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
            at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, substitution});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
        }
    }
    return at(a.size(), b.size());
}

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known) {
    int best = std::clamp(static_cast<int>(name.size()) / 3, 1, 3) + 1;
    std::optional<std::string> found;
    for (const std::string& candidate : known) {
        const int distance = edit_distance(name, candidate);
        if (distance < best) {
            best = distance;
            found = candidate;
        }
    }
    return found;
}

std::string near_or(std::string_view name, std::span<const std::string> known, std::string otherwise) {
    const auto near = nearest_name(name, known);
    return near ? "did you mean `" + *near + "`?" : otherwise;
}

}  // namespace warpgrade
