// When something was handed in, as names and metadata of learning platforms say it: the one thing that decides which
// of two attempts is the last.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace warpgrade::classroom {

// A time as the platform wrote it. With a time zone `seconds` are in UTC; without, they are what a clock on the wall
// showed, somewhere. Times of one platform compare; a time with a zone and one without may be hours apart
// (seconds_between).
struct HandInTime {
    std::int64_t seconds = 0;   // since 1970-01-01 00:00
    std::optional<int> zone{};  // what its clock is ahead of UTC, in seconds
    std::int64_t on_the_wall() const { return seconds + zone.value_or(0); }
    std::strong_ordering operator<=>(const HandInTime& other) const { return seconds <=> other.seconds; }
    bool operator==(const HandInTime& other) const { return seconds == other.seconds; }
};

// From `due` to `time`, negative before it. A time without a zone is taken as of the due date's zone. Nothing: only the
// time has a zone, so that the two may be hours apart.
std::optional<std::int64_t> seconds_between(const HandInTime& due, const HandInTime& time);

// "2026-11-02 23:59:10", or "2026-11-02 23:59:10 UTC" with a zone.
std::string text_of(const HandInTime& time);

// A clock's distance from UTC: "-05:00", "UTC", or a name of the IANA time zone database, "America/New_York", of which
// this machine has to have the file.
class TimeZone {
public:
    // Error: usage: `text` is no such zone.
    static Result<TimeZone> named(const std::string& text);
    // The same clock time, of this zone. A time that has a zone already is kept.
    HandInTime of(const HandInTime& on_the_wall) const;

private:
    std::string name_;  // of the database; empty: the offset counts
    int offset_seconds_ = 0;
};

// How late a platform says that something is: "1 day 2 hours late" (Moodle, in the languages that find_time knows),
// "26:00:05" (Gradescope: hours, minutes, seconds), in seconds. Nothing: it says nothing of lateness.
std::optional<std::int64_t> lateness_in(std::string_view text);

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
