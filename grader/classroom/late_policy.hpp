// What lateness costs: a pure function of when something was handed in, of `policy.toml` and of `extensions.csv`, both
// in the class's folder. Points as graded are kept; the policy's effect stands beside them.
//
// How late something is: what the platform itself counts, where it says so; else the time from the due date. A due date
// without a time zone is not compared with a time that has one (Gradescope's are in UTC): that is an error, and nothing
// is taken from anybody.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "classroom/hand_in_time.hpp"
#include "course/assignment.hpp"

namespace warpgrade::classroom {

inline constexpr const char* policy_file = "policy.toml";
inline constexpr const char* extensions_file = "extensions.csv";

// grace_minutes: late by no more is not late. late_days: that a student may spend without loss, over the course.
// percent_a_day: of a stage's points, for every begun day that no late day pays for. most_days: later than that is 0.
// zone: of the dates here and in extensions.csv, and of times that name none. [due]: "transpose" or
// "transpose/padding" = "2026-11-02 23:59", or with its own zone: "2026-11-02 23:59 -05:00".
struct LatePolicy {
    int grace_minutes = 0;
    int late_days = 0;
    double percent_a_day = 0;
    int most_days = 0;  // 0: no limit
    std::map<std::string, HandInTime> due;
    std::optional<TimeZone> zone;
    // Whether lateness is of any consequence here.
    bool is_there() const { return !due.empty() || percent_a_day > 0 || most_days > 0; }
};
Result<LatePolicy> parse_policy(std::string_view text, const std::string& path, const std::vector<Assignment>& course);

// Columns student, assignment (or stage; empty: all), days (a number) or a date, reason.
struct Extension {
    std::string student, what, reason;
    int days = 0;
    std::optional<HandInTime> until;
};
Result<std::vector<Extension>> parse_extensions(std::string_view text, const std::string& path,
                                                const std::vector<Assignment>& course);

struct LateRules {
    LatePolicy policy;
    std::vector<Extension> extensions;
};
// Gives the policy's zone to every date that has none of its own.
void settle_zones(LateRules& rules);

// One stage's points and when its file was handed in.
struct DatedPoints {
    std::string stage;
    double points = 0;
    std::optional<HandInTime> time;
    bool is_late = false;                        // the platform says so
    std::optional<std::int64_t> late_seconds{};  // and by how much, which counts before the due date
};
// The first date that would have to be compared with a time of another clock; where there is none, nothing.
std::optional<Diagnostic> clash_of_clocks(const LateRules& rules, const std::string& student,
                                          const std::vector<DatedPoints>& stages, const std::string& path);

struct LateEffect {
    double lost = 0;  // of all points
    int days = 0;     // begun days late, of the latest of each assignment
    int paid = 0;     // of these with late days
    std::vector<std::string> notes;
    bool asks = false;        // the platform says late, and not by how much: a person has to say, with an extension
    bool is_undated = false;  // something has no date, and nobody says that it is late
};
// Late days are spent by assignment in the order of their dates; of stages of one assignment the latest counts for the
// budget, and each loses by its own days.
LateEffect late_effect(const LatePolicy& policy, const std::vector<Extension>& extensions, const std::string& student,
                       const std::vector<DatedPoints>& stages);

}  // namespace warpgrade::classroom
