// "40", "40 and 42", "40, 42 and 43".
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>

namespace warpgrade {

template <class Range>
std::string listed(const Range& all) {
    std::string text;
    for (auto at = std::begin(all); at != std::end(all); ++at)
        text += fmt::format("{}{}", at == std::begin(all) ? "" : std::next(at) == std::end(all) ? " and " : ", ", *at);
    return text;
}

}  // namespace warpgrade
