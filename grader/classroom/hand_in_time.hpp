// When something was handed in, as names and metadata of learning platforms say it: the one thing that decides which
// of two attempts is the last.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade::classroom {

// Wall-clock time as the platform wrote it; with an offset, converted to UTC. Times of one platform compare; those of
// two platforms may be hours apart.
struct HandInTime {
    std::int64_t seconds = 0;  // since 1970-01-01 00:00, as if in UTC
    auto operator<=>(const HandInTime&) const = default;
};

// "2026-11-02 23:59:10"
std::string text_of(const HandInTime& time);

// The first date in the text: "Nov 2, 2026 1159 PM" (Brightspace; also with the day first, and months in German,
// French and Spanish), "2026-11-02-23-59-10" (Blackboard), "2026-11-02 23:59:00.000000000 +01:00" (Gradescope),
// "20261102235910000" (Sakai), "2026-11-02". Nothing: no date, or none that the calendar has.
struct FoundTime {
    HandInTime time;
    std::size_t begin = 0, end = 0;  // where it stands in the text
};
std::optional<FoundTime> find_time(std::string_view text);
std::optional<HandInTime> time_in(std::string_view text);

}  // namespace warpgrade::classroom
