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
        {"2026-11-02 23:59:00.000000000 Z", "2026-11-02 23:59:00"},
        {"2026-11-03T00:30:00+01:00", "2026-11-02 23:30:00"},
        {"2026-11-02T23:59:00-0500", "2026-11-03 04:59:00"},
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
