#include "classroom/late_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/toml_reader.hpp"
#include "classroom/table_file.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

constexpr std::int64_t seconds_a_day = 24 * 3600;

std::string assignment_of(const std::string& stage) { return stage.substr(0, stage.find('/')); }

// "transpose", or a stage by whatever name it is found.
std::optional<std::string> known_name(const std::string& text, const std::vector<Assignment>& course) {
    for (const Assignment& assignment : course)
        if (assignment.name == text) return text;
    const auto match = find_stage(course, text);
    return match ? std::optional(match->stage->name()) : std::nullopt;
}

std::optional<HandInTime> due_of(const LatePolicy& policy, const std::string& stage) {
    for (const std::string& name : {stage, assignment_of(stage)})
        if (const auto found = policy.due.find(name); found != policy.due.end()) return found->second;
    return std::nullopt;
}

bool is_about(const Extension& one, const std::string& student, const std::string& stage) {
    return one.student == student && (one.what.empty() || one.what == stage || one.what == assignment_of(stage));
}

bool has_extension(const std::vector<Extension>& extensions, const std::string& student, const std::string& stage) {
    return std::any_of(extensions.begin(), extensions.end(),
                       [&](const Extension& one) { return is_about(one, student, stage); });
}

int begun_days(const LatePolicy& policy, std::int64_t late_seconds) {
    if (late_seconds <= policy.grace_minutes * 60) return 0;
    return static_cast<int>((late_seconds + seconds_a_day - 1) / seconds_a_day);
}

// How late a stage is, with the extension that helps it most. Nothing: no date says so, or clocks are not comparable.
std::optional<std::int64_t> seconds_late(const std::vector<Extension>& extensions, const std::string& student,
                                         const DatedPoints& stage, const std::optional<HandInTime>& due) {
    std::optional<std::int64_t> late = stage.late_seconds;
    if (!late && due && stage.time) late = seconds_between(*due, *stage.time);
    if (!late) return std::nullopt;
    std::int64_t least = *late;
    for (const Extension& one : extensions) {
        if (!is_about(one, student, stage.stage)) continue;
        if (!one.until)
            least = std::min(least, *late - one.days * seconds_a_day);
        else if (const auto past = stage.time ? seconds_between(*one.until, *stage.time) : std::nullopt)
            least = std::min(least, *past);
    }
    return least;
}

}  // namespace

Result<LatePolicy> parse_policy(std::string_view text, const std::string& path, const std::vector<Assignment>& course) {
    toml::table root;
    try {
        root = toml::parse(text, path);
    } catch (const toml::parse_error& error) {
        return bad_row(path, static_cast<int>(error.source().begin.line), std::string(error.description()),
                       "see the section on late work in the instructor's handout");
    }
    TomlErrors errors(path);
    TomlTable table(root, "policy.toml", errors);
    LatePolicy policy;
    policy.grace_minutes = table.whole_number("grace_minutes", 0, 0, 7 * 24 * 60);
    policy.late_days = table.whole_number("late_days", 0, 0, 365);
    policy.percent_a_day = table.number("percent_a_day", 0, 0, 100);
    policy.most_days = table.whole_number("most_days", 0, 0, 365);
    if (const std::string name = table.text("zone", false); !name.empty()) {
        auto zone = TimeZone::named(name);
        if (zone)
            policy.zone = *zone;
        else
            errors.report(table.node("zone"), "policy", zone.error().title, {}, zone.error().help);
    }
    if (const toml::table* due = table.table("due")) {
        for (const auto& [key, node] : *due) {
            const std::string name(key.str());
            const auto known = known_name(name, course);
            std::string written;
            if (const auto value = node.value<std::string>()) written = *value;
            if (node.is_date_time() || node.is_date()) {
                std::ostringstream out;
                node.visit([&](const auto& one) {
                    if constexpr (toml::is_date_time<decltype(one)> || toml::is_date<decltype(one)>) out << one.get();
                });
                written = out.str();
            }
            const auto time = time_in(written);
            if (!known)
                errors.report(&node, "policy", fmt::format("there is no assignment or stage `{}`", name));
            else if (!time)
                errors.report(&node, "policy", fmt::format("`{}` is no date", written), {},
                              "write it as 2026-11-02 23:59, or with its time zone: 2026-11-02 23:59 -05:00");
            else
                policy.due[*known] = *time;
        }
    }
    table.finish();
    if (errors.first()) {
        Diagnostic wrong = *errors.first();
        wrong.blame = Blame::usage;
        return wrong;
    }
    return policy;
}

Result<std::vector<Extension>> parse_extensions(std::string_view text, const std::string& path,
                                                const std::vector<Assignment>& course) {
    auto table = open_table(text, path, {"student", "assignment", "days", "reason"});
    if (!table) return table.error();
    std::vector<Extension> all;
    for (const TableRow& row : table->rows) {
        Extension one{row.cells[0], row.cells[1], row.cells[3], 0, {}};
        if (!one.what.empty()) {
            const auto known = known_name(one.what, course);
            if (!known)
                return bad_row(path, row.line, fmt::format("there is no assignment or stage `{}`", one.what),
                               "leave the cell empty for all of them");
            one.what = *known;
        }
        const auto days = number_of(row.cells[2]);
        one.until = days ? std::nullopt : time_in(row.cells[2]);
        if (one.student.empty() || (!days && !one.until) || (days && (*days < 0 || *days > 365)))
            return bad_row(path, row.line, fmt::format("`{}` is neither days nor a date", row.cells[2]),
                           "write a number of days, or a date: 2026-11-09 23:59");
        if (days) one.days = static_cast<int>(*days);
        all.push_back(std::move(one));
    }
    return all;
}

void settle_zones(LateRules& rules) {
    if (!rules.policy.zone) return;
    for (auto& [name, due] : rules.policy.due) due = rules.policy.zone->of(due);
    for (Extension& one : rules.extensions)
        if (one.until) one.until = rules.policy.zone->of(*one.until);
}

std::optional<Diagnostic> clash_of_clocks(const LateRules& rules, const std::string& student,
                                          const std::vector<DatedPoints>& stages, const std::string& path) {
    const auto clash = [&](const std::string& what, const HandInTime& date, const HandInTime& time) {
        Diagnostic wrong =
            bad_row(path, 0, what + " has no time zone, and times of hand-ins have one",
                    "add to policy.toml `zone = \"America/New_York\"`, or whatever zone the dates are of; "
                    "or write the offset beside each date: 2026-11-02 23:59 -05:00");
        wrong.facts = {fmt::format("the date: {}; handed in by `{}`: {}", text_of(date), student, text_of(time)),
                       "compared as they stand, who was in time might be late, so nothing was decided"};
        return wrong;
    };
    for (const DatedPoints& stage : stages) {
        if (!stage.time || !stage.time->zone) continue;
        const auto due = due_of(rules.policy, stage.stage);
        if (due && !due->zone && !stage.late_seconds)
            return clash(fmt::format("the due date of {}", assignment_of(stage.stage)), *due, *stage.time);
        for (const Extension& one : rules.extensions)
            if (is_about(one, student, stage.stage) && one.until && !one.until->zone)
                return clash("a date in extensions.csv", *one.until, *stage.time);
    }
    return std::nullopt;
}

LateEffect late_effect(const LatePolicy& policy, const std::vector<Extension>& extensions, const std::string& student,
                       const std::vector<DatedPoints>& stages) {
    LateEffect effect;
    struct Late {
        const DatedPoints* stage;
        int days;
    };
    // Of what is due at no date here, first.
    std::map<std::pair<HandInTime, std::string>, std::vector<Late>> by_assignment;  // in the order of their dates
    for (const DatedPoints& stage : stages) {
        const auto due = due_of(policy, stage.stage);
        if (!due && !stage.late_seconds) continue;
        const auto late = seconds_late(extensions, student, stage, due);
        if (!late) {
            effect.asks = effect.asks || (stage.is_late && !has_extension(extensions, student, stage.stage));
            effect.is_undated = effect.is_undated || !stage.is_late;
        } else if (const int days = begun_days(policy, *late); days > 0) {
            by_assignment[{due.value_or(HandInTime{}), assignment_of(stage.stage)}].push_back({&stage, days});
        }
    }
    int left = policy.late_days;
    for (const auto& [key, late] : by_assignment) {
        int most = 0;
        for (const Late& one : late) most = std::max(most, one.days);
        const int paid = std::min(left, most);
        left -= paid;
        effect.days += most;
        effect.paid += paid;
        double lost = 0;
        for (const Late& one : late) {
            const int unpaid = std::max(one.days - paid, 0);
            const bool is_too_late = policy.most_days > 0 && unpaid > policy.most_days;
            lost += one.stage->points * (is_too_late ? 1 : std::min(unpaid * policy.percent_a_day / 100, 1.0));
        }
        effect.lost += lost;
        effect.notes.push_back(fmt::format("{}: late by {} day{}, {} of them from the budget, {:.2f} points off",
                                           key.second, most, most == 1 ? "" : "s", paid, lost));
    }
    if (effect.asks) effect.notes.push_back("the platform says late, and not by how much: a person has to say");
    return effect;
}

}  // namespace warpgrade::classroom
