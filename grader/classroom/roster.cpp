#include "classroom/roster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "base/files.hpp"
#include "base/near_names.hpp"
#include "classroom/roster_columns.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

Diagnostic bad_roster(const std::string& path, int line, std::string title, std::vector<std::string> facts,
                      std::string help) {
    Diagnostic diagnostic{.blame = Blame::usage,
                          .code = "bad_roster",
                          .title = std::move(title),
                          .marks = {},
                          .facts = std::move(facts),
                          .help = std::move(help)};
    diagnostic.marks.push_back({path, line, 0, 1, ""});
    return diagnostic;
}

// Brightspace writes "#" before ids, so that spreadsheets keep them as text.
std::string without_hash(std::string text) {
    if (text.starts_with('#')) text.erase(0, 1);
    return text;
}

// Roles and states of people who are in a course's list and in no statistics of it.
bool is_out_of_course(const std::string& cell) {
    static const std::set<std::string> words{"audit",     "auditor",         "auditing",
                                             "auditeur",  "observer",        "guest",
                                             "gast",      "dropped",         "drop",
                                             "withdrawn", "withdrew",        "w",
                                             "inactive",  "instructor",      "teacher",
                                             "ta",        "grader",          "staff",
                                             "designer",  "tutor",           "teachingassistant",
                                             "lehrende",  "nolongerenrolled"};
    return words.contains(squeezed(cell));
}

// "https://github.com/course/hw3-team-one.git" -> "hw3-team-one"
std::string repository_in(std::string text) {
    while (text.ends_with('/')) text.pop_back();
    if (text.ends_with(".git")) text.resize(text.size() - 4);
    return text.substr(text.rfind('/') + 1);
}

// A group that is a number alone is called otherwise where it hands in: "Group 3", "team3".
void add_group_keys(std::vector<Key>& keys, const std::string& header, const std::string& group) {
    if (group.find_first_not_of("0123456789") != std::string::npos) {
        add_key(keys, Key::Kind::group, group);
        return;
    }
    for (const std::string& word : {header, std::string("group"), std::string("team")})
        add_key(keys, Key::Kind::group, word + " " + group);
}

// "Participant 4711" -> "4711"
std::string last_number(const std::string& text) {
    const auto last = text.find_last_not_of("0123456789");
    return last == std::string::npos ? text : text.substr(last + 1);
}

// "O'Brien, Ann", "O'BrienAnn" and "Ann O'Brien" are one name.
void add_name_keys(std::vector<Key>& keys, const std::string& name) {
    add_key(keys, Key::Kind::name, name);
    if (const auto comma = name.find(','); comma != std::string::npos)
        add_key(keys, Key::Kind::name, name.substr(comma + 1) + " " + name.substr(0, comma));
    else if (const auto space = name.rfind(' '); space != std::string::npos)
        add_key(keys, Key::Kind::name, name.substr(space + 1) + ", " + name.substr(0, space));
}

Student student_of(const CsvRow& row, const CsvRow& header, const std::vector<RosterColumn>& places,
                   const std::vector<std::size_t>& shown) {
    Student student;
    std::string first, last, number;
    const auto cell = [&](std::size_t column) { return column < row.size() ? row[column] : std::string(); };
    for (const RosterColumn& place : places) {
        const std::string text = without_hash(cell(place.column));
        if (text.empty()) continue;
        switch (place.part) {
            case RosterPart::id:
            case RosterPart::login:
                if (student.id.empty()) student.id = text;
                add_key(student.keys, Key::Kind::id, text);
                if (text.find('@') != std::string::npos) add_key(student.keys, Key::Kind::email, text);
                break;
            case RosterPart::number:
                if (number.empty()) number = text;
                add_key(student.keys, Key::Kind::number, last_number(text));
                break;
            case RosterPart::email:
                if (student.email.empty()) student.email = text;
                add_key(student.keys, Key::Kind::email, text);
                add_key(student.keys, Key::Kind::mailbox, std::string_view(text).substr(0, text.find('@')));
                break;
            case RosterPart::name:
                if (student.name.empty()) student.name = text;
                break;
            case RosterPart::group: add_group_keys(student.keys, header[place.column], text); break;
            case RosterPart::repository: add_key(student.keys, Key::Kind::group, repository_in(text)); break;
            case RosterPart::role:
                if (is_out_of_course(text)) student.role = text;
                break;
            case RosterPart::section:
                if (student.section.empty()) student.section = text;
                break;
            case RosterPart::first_name: first = text; break;
            case RosterPart::last_name: last = text; break;
            case RosterPart::time:
                if (!student.handed_in) student.handed_in = time_in(text);
                break;
            case RosterPart::lateness:
                if (!student.late_seconds) student.late_seconds = lateness_in(text);
                if (student.role.empty() && is_out_of_course(text)) student.role = text;
                break;
        }
    }
    if (student.name.empty()) student.name = first + (first.empty() || last.empty() ? "" : " ") + last;
    if (!first.empty() && !last.empty()) add_name_keys(student.keys, last + ", " + first);
    add_name_keys(student.keys, student.name);
    for (const std::string& other : {number, student.email, student.name})
        if (student.id.empty()) student.id = other;
    for (const std::size_t column : shown) student.cells.push_back(cell(column));
    return student;
}

// A platform that says of one student how late the work is (Moodle's worksheet, in its column "Status") says by its
// silence that others who handed in were in time.
void settle_lateness(std::vector<Student>& students) {
    const bool is_said = std::any_of(students.begin(), students.end(),
                                     [](const Student& one) { return one.late_seconds.value_or(0) > 0; });
    if (!is_said) return;
    for (Student& one : students)
        if (one.handed_in && !one.late_seconds) one.late_seconds = 0;
}

// Two rows of one id: what is in both is the same.
bool are_one(const Student& one, const Student& other) {
    const auto agree = [](const std::string& a, const std::string& b) {
        return a.empty() || b.empty() || squeezed(a) == squeezed(b);
    };
    // Ids that differ by capitals need something else that says so.
    const bool is_said = one.id == other.id || (!one.name.empty() && squeezed(one.name) == squeezed(other.name));
    return is_said && agree(one.name, other.name) && agree(one.email, other.email);
}

// Canvas's rows that are no students: "    Points Possible", "Manual Posting", and its test account.
bool is_no_student(const CsvRow& row) {
    const std::string first = row.empty() ? "" : squeezed(row.front());
    return first == "pointspossible" || first == "manualposting" || first == "muted" || first == "studenttest";
}

}  // namespace

Result<Roster> parse_roster(std::string_view text, const std::string& path) {
    const auto table = parse_csv(text, path);
    if (!table) return table.error();
    if (table->rows.empty())
        return bad_roster(path, 0, "the roster is empty", {}, "begin with a row of headings: id,name,email");
    // Sakai writes the assignment's title above the headings.
    std::size_t header_row = 0;
    constexpr std::size_t most_above = 4;
    while (header_row < std::min(most_above, table->rows.size() - 1) && places_of(table->rows[header_row]).empty())
        ++header_row;
    if (places_of(table->rows[header_row]).empty()) header_row = 0;
    const CsvRow& header = table->rows[header_row];
    std::vector<RosterColumn> places = places_of(header);
    add_places_by_content(*table, header_row, places);
    const auto says_who = [](const RosterColumn& place) {
        return !is_of_attempt(place.part) && place.part != RosterPart::section;
    };
    const auto names = [](const RosterColumn& place) {
        return is_id(place.part) || place.part == RosterPart::name || place.part == RosterPart::first_name ||
               place.part == RosterPart::last_name;
    };
    if (std::none_of(places.begin(), places.end(), names)) {
        std::string found;
        for (const std::string& name : header) found += (found.empty() ? "" : ", ") + name;
        return bad_roster(path, table->lines.front(), "no column of the roster says who a student is",
                          {"columns: " + found, "known: id, student id, SID, username, email, name, first name, ..."},
                          "begin the roster with a row of headings: id,name,email");
    }
    std::vector<std::size_t> shown;
    for (const RosterColumn& place : places)
        if (says_who(place)) shown.push_back(place.column);
    std::sort(shown.begin(), shown.end());
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());

    Roster roster;
    for (const std::size_t column : shown) roster.columns.push_back(header[column]);
    for (const RosterColumn& place : places)
        if (is_id(place.part) && std::find(roster.id_columns.begin(), roster.id_columns.end(), header[place.column]) ==
                                     roster.id_columns.end())
            roster.id_columns.push_back(header[place.column]);
    std::map<std::string, std::size_t> with_id;
    for (std::size_t i = header_row + 1; i < table->rows.size(); ++i) {
        if (is_no_student(table->rows[i])) continue;
        Student student = student_of(table->rows[i], header, places, shown);
        if (student.id.empty()) continue;
        student.line = table->lines[i];
        const auto [known, is_new] = with_id.emplace(lower_case(student.id), roster.students.size());
        if (!is_new) {
            Student& one = roster.students[known->second];
            if (!are_one(one, student))
                return bad_roster(path, student.line, fmt::format("two students have the id `{}`", student.id),
                                  {fmt::format("the other one is in line {}", one.line)}, "give each student one row");
            for (Key& key : student.keys)
                if (std::find(one.keys.begin(), one.keys.end(), key) == one.keys.end())
                    one.keys.push_back(std::move(key));
            // In two sections, and dropped from one of them.
            if (student.role.empty()) one.role.clear();
            if (!student.section.empty() && student.section != one.section)
                one.section += (one.section.empty() ? "" : "; ") + student.section;
            roster.notes.push_back(fmt::format("`{}` is on the roster twice, in lines {} and {}: it is one student",
                                               one.id, one.line, student.line));
            continue;
        }
        roster.students.push_back(std::move(student));
    }
    settle_lateness(roster.students);
    if (roster.students.empty())
        return bad_roster(path, 0, "the roster has headings, but no students", {}, "add a row for each student");
    return roster;
}

Result<Roster> read_roster(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        std::vector<std::string> known;
        const std::filesystem::path folder = std::filesystem::path(path).parent_path();
        for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, error))
            if (entry.path().extension() == ".csv") known.push_back((folder / entry.path().filename()).string());
        const auto near = nearest_name(path, known);
        return not_a_file(path,
                          near ? fmt::format("`--roster {}` exists", *near) : "check the folder and the spelling");
    }
    const auto text = read_whole_file(path, 64ull << 20);
    if (!text) return text.error();
    // Blackboard writes UTF-16.
    return parse_roster(is_utf16(*text) ? to_utf8(*text) : *text, path);
}

Roster empty_roster() { return {{"id", "name"}, {}}; }

}  // namespace warpgrade::classroom
