#include "classroom/late_policy.hpp"

#include "classroom/overrides.hpp"
#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::classroom;

namespace {

const std::vector<Assignment>& course() {
    static const auto loaded = load_course(WARPGRADE_SOURCE_DIR);
    if (!loaded) FAIL(loaded.error().title);
    return *loaded;
}

LatePolicy policy(const std::string& text) {
    const auto parsed = parse_policy(text, "policy.toml", course());
    if (!parsed) FAIL(parsed.error().title);
    return *parsed;
}

HandInTime at(const char* text) { return *time_in(text); }

}  // namespace

TEST_CASE("what lateness costs is a function of dates, budget and extensions") {
    const LatePolicy rules = policy(
        "grace_minutes = 15\nlate_days = 2\npercent_a_day = 10\nmost_days = 5\n[due]\ntranspose = \"2026-11-02 "
        "23:59\"\n\"reduction/strided\" = 2026-11-09T23:59:00\n");
    const auto lost = [&](const char* time, const char* stage = "transpose/padding") {
        return late_effect(rules, {}, "ann", {{stage, 10, at(time), false}}).lost;
    };
    CHECK(lost("2026-11-02 23:59") == 0);
    CHECK(lost("2026-11-03 00:14") == 0);                    // within the grace
    CHECK(lost("2026-11-03 00:15") == 0);                    // a day, and a late day pays for it
    CHECK(lost("2026-11-04 23:59") == 0);                    // two of them
    CHECK(lost("2026-11-05 00:00") == 1);                    // three days, two paid
    CHECK(lost("2026-11-20 00:00") == 10);                   // too late
    CHECK(lost("2026-11-05 00:00", "reduction/open") == 0);  // no date
    const LateEffect both = late_effect(rules, {}, "ann",
                                        {{"reduction/strided", 10, at("2026-11-10 10:00"), false},
                                         {"transpose/padding", 10, at("2026-11-04 10:00"), false}});
    CHECK(both.days == 3);
    CHECK(both.paid == 2);  // the budget goes to what was due first
    CHECK(both.lost == 1);
    const std::vector<Extension> longer{{"ann", "transpose", "ill", 7, {}}};
    CHECK(late_effect(rules, longer, "ann", {{"transpose/padding", 10, at("2026-11-09 10:00"), false}}).days == 0);
    CHECK(late_effect(rules, longer, "bo", {{"transpose/padding", 10, at("2026-11-09 10:00"), false}}).days == 7);
    CHECK(late_effect(rules, {}, "ann", {{"transpose/padding", 10, {}, true}}).asks);
}

TEST_CASE("a policy or an extension that says nothing is refused with its line") {
    CHECK(parse_policy("percent_a_day = 110\n", "p", course()).error().blame == Blame::usage);
    CHECK(!parse_policy("[due]\ntransposed = \"2026-11-02\"\n", "p", course()));
    CHECK(!parse_policy("[due]\ntranspose = \"soon\"\n", "p", course()));
    CHECK(!parse_policy("late_day = 3\n", "p", course()));
    const auto extensions =
        parse_extensions("student,assignment,days,reason\nann,transpose,3,ill\nbo,,2026-11-09 23:59,\n", "e", course());
    REQUIRE(extensions);
    CHECK((*extensions)[0].days == 3);
    CHECK((*extensions)[1].until.has_value());
    CHECK(!parse_extensions("student,assignment,days,reason\nann,transpose,many,ill\n", "e", course()));
    CHECK(!parse_extensions("student,days,reason\nann,3,ill\n", "e", course()));
}

TEST_CASE("an override has points that the stage can give, and a reason") {
    const auto parse = [](const std::string& rows) {
        return parse_overrides("student,stage,points,reason\n" + rows, "overrides.csv", course());
    };
    const auto known = parse("ann,padding,12.5,shown in the lab\nbo,transpose/open,excused,ill\n");
    REQUIRE(known);
    CHECK(known->find("ann", "transpose/padding")->points == 12.5);
    CHECK(known->find("bo", "transpose/open")->is_excused);
    CHECK(known->find("bo", "transpose/padding") == nullptr);
    CHECK(known->of_nobody({"ann"}) ==
          std::vector<std::string>{"overrides.csv:3 is for `bo`, who is not in the class"});
    for (const char* rows : {"ann,padding,15,too many\n", "ann,padding,,none\n", "ann,padding,5,\n", "ann,paddin,5,x\n",
                             ",padding,5,x\n", "ann,padding,5,x\nann,transpose/padding,6,y\n"})
        CHECK(!parse(rows));
}

TEST_CASE("a due date without a zone is not compared with a time that has one") {
    const auto clash = [](const std::string& text, const std::vector<Extension>& extensions = {}) {
        LateRules rules{policy(text), extensions};
        settle_zones(rules);
        return clash_of_clocks(rules, "ann", {{"transpose/padding", 10, at("2025-11-03 04:30:00 Z"), false}},
                               "policy.toml");
    };
    const auto lost = [](const std::string& text) {
        LateRules rules{policy(text), {}};
        settle_zones(rules);
        return late_effect(rules.policy, {}, "ann", {{"transpose/padding", 10, at("2025-11-03 04:30:00 Z"), false}})
            .lost;
    };
    const std::string due = "percent_a_day = 10\n[due]\ntranspose = \"2025-11-02 23:59", zone = "zone = \"-05:00\"\n";
    const auto wrong = clash(due + "\"\n");
    REQUIRE(wrong);
    CHECK(wrong->blame == Blame::usage);
    CHECK(wrong->help.find("zone = ") != std::string::npos);
    CHECK(lost(due + "\"\n") == 0);
    for (const std::string& text : {due + " -05:00\"\n", zone + due + "\"\n"}) {
        CHECK_FALSE(clash(text));
        CHECK(lost(text) == 0);  // 23:30 there
    }
    CHECK(lost("zone = \"+01:00\"\n" + due + "\"\n") == 1);
    const std::vector<Extension> bare{{"ann", "", "ill", 0, at("2025-11-05 12:00")}};
    CHECK(clash(due + " -05:00\"\n", bare));
    CHECK_FALSE(clash(zone + due + "\"\n", bare));
    CHECK_FALSE(parse_policy("zone = \"Eastern\"\n", "p", course()));
}

TEST_CASE("what the platform counts itself is how late something is") {
    const LatePolicy rules = policy("grace_minutes = 15\npercent_a_day = 10\n");
    constexpr std::int64_t hour = 3600;
    const auto lost = [&](std::int64_t late, const std::vector<Extension>& extensions = {}) {
        return late_effect(rules, extensions, "ann", {{"transpose/padding", 10, {}, true, late}}).lost;
    };
    CHECK(lost(0) == 0);
    CHECK(lost(900) == 0);
    CHECK(lost(26 * hour) == 2);
    CHECK(lost(26 * hour, {{"ann", "", "ill", 1, {}}}) == 1);
    CHECK_FALSE(late_effect(rules, {}, "ann", {{"transpose/padding", 10, {}, true, 26 * hour}}).asks);
    // Before a due date that says otherwise: the platform knows of its own extensions.
    const LatePolicy dated = policy("percent_a_day = 10\n[due]\ntranspose = \"2025-11-02 23:59\"\n");
    CHECK(late_effect(dated, {}, "ann", {{"transpose/padding", 10, at("2025-11-05 10:00"), false, 0}}).lost == 0);
}

TEST_CASE("an excuse may be of an assignment or of everything, points may not") {
    const auto parse = [](const std::string& rows) {
        return parse_overrides("student,stage,points,reason\n" + rows, "overrides.csv", course());
    };
    const auto one = parse("ann,transpose,excused,ill\n"), all = parse("ann,*,excused,dropped\n");
    REQUIRE(one);
    REQUIRE(all);
    CHECK(one->find("ann", "transpose/padding")->is_excused);
    CHECK(one->find("ann", "reduction/open") == nullptr);
    CHECK(all->find("ann", "reduction/open")->is_excused);
    for (const char* rows : {"ann,transpose,5,x\n", "ann,*,5,x\n", "ann,,excused,x\n", "ann,transpos,excused,x\n"}) {
        INFO(rows);
        CHECK_FALSE(parse(rows));
    }
}
