#include "classroom/hand_in_time.hpp"

#include "support/catch.hpp"

using namespace warpgrade::classroom;

TEST_CASE("a date is read as platforms write it") {
    const std::pair<const char*, const char*> known[] = {
        {"27236-46025 - Ann O'Brien - Nov 2, 2025 1159 PM", "2025-11-02 23:59:00"},
        {"27236-46025 - Ann O'Brien - Dec 10, 2025 1205 AM", "2025-12-10 00:05:00"},
        {"27236-46025 - Ann O'Brien - Dec 9, 2025 905 AM", "2025-12-09 09:05:00"},
        {"1-2 - Jo - 2 November, 2025 11:59 PM", "2025-11-02 23:59:00"},
        {"1-2 - Jo - 2. M\u00e4r 2026 23.59", "2026-03-02 23:59:00"},
        {"1-2 - Jo - 14 ao\u00fbt 2026 0959", "2026-08-14 09:59:00"},
        {"HW3_annlee_attempt_2025-11-02-23-59-10_4_padding.cu", "2025-11-02 23:59:10"},
        {"2026-11-02 23:59:00.000000000 Z", "2026-11-02 23:59:00 UTC"},
        {"2026-11-03T00:30:00+01:00", "2026-11-02 23:30:00 UTC"},
        {"2026-11-02T23:59:00-0500", "2026-11-03 04:59:00 UTC"},
        {"Monday, 3 November 2025, 4:30 AM", "2025-11-03 04:30:00"},
        {"20251102235910000", "2025-11-02 23:59:10"},
        {"ann 2026-11-02", "2026-11-02 00:00:00"},
    };
    for (const auto& [text, time] : known) {
        INFO(text);
        const auto found = time_in(text);
        REQUIRE(found);
        CHECK(text_of(*found) == time);
    }
}

TEST_CASE("what is no date is none") {
    for (const char* text : {"", "hw3", "ann-2026", "2026-13-02", "Feb 30, 2026 1000 AM", "12345-67890", "Bo 3, 2026",
                             "0012026-11-022", "Nov 2"}) {
        INFO(text);
        CHECK_FALSE(time_in(text));
    }
}

TEST_CASE("a time with a zone is compared in UTC, and one without on the wall of the due date's zone") {
    const HandInTime due = *time_in("2025-11-02 23:59 -05:00"), bare = *time_in("2025-11-02 23:59");
    CHECK(seconds_between(due, *time_in("2025-11-03 04:30:00 Z")) == -29 * 60);
    CHECK(seconds_between(due, *time_in("2025-11-03 00:59")) == 3600);
    CHECK(seconds_between(bare, *time_in("2025-11-03 00:59")) == 3600);
    CHECK_FALSE(seconds_between(bare, *time_in("2025-11-03 04:30:00 Z")));
}

TEST_CASE("a zone gives a clock time its place, with summer time where the zone has that") {
    const auto utc = [](const char* zone, const char* time) {
        return text_of(TimeZone::named(zone)->of(*time_in(time)));
    };
    CHECK(utc("-05:00", "2025-11-02 23:59") == "2025-11-03 04:59:00 UTC");
    CHECK(utc("UTC", "2025-11-02 23:59") == "2025-11-02 23:59:00 UTC");
    CHECK(utc("-05:00", "2025-11-02 23:59 +01:00") == "2025-11-02 22:59:00 UTC");  // its own zone counts
    if (TimeZone::named("America/New_York")) {
        CHECK(utc("America/New_York", "2025-07-01 12:00") == "2025-07-01 16:00:00 UTC");
        CHECK(utc("America/New_York", "2025-12-01 12:00") == "2025-12-01 17:00:00 UTC");
    } else {
        WARN("this machine has no time zone database: summer time was not looked at");
    }
    for (const char* text : {"", "EasternTime", "../etc/passwd", "/etc/passwd", "America", "-5"}) {
        INFO(text);
        CHECK_FALSE(TimeZone::named(text));
    }
}

TEST_CASE("how late something is, as platforms say it") {
    constexpr std::int64_t hour = 3600, day = 24 * hour;
    const std::pair<const char*, std::int64_t> known[] = {
        {"Submitted for grading - 1 day 2 hours late", day + 2 * hour},
        {"Zur Bewertung abgegeben - 3 Stunden 5 Minuten versp\u00e4tet", 3 * hour + 300},
        {"Remis pour \u00e9valuation - 2 jours 1 heure de retard", 2 * day + hour},
        {"26:00:05", 26 * hour + 5},
        {"00:00:00", 0},
    };
    for (const auto& [text, seconds] : known) {
        INFO(text);
        CHECK(lateness_in(text) == seconds);
    }
    for (const char* text : {"", "Submitted for grading", "Graded", "Missing", "No submission", "late", "2 days left",
                             "Submitted for grading - Graded"}) {
        INFO(text);
        CHECK_FALSE(lateness_in(text));
    }
}
