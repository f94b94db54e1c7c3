#include "classroom/roster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/files.hpp"
#include "base/near_names.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

enum class Part { id, login, email, name, first_name, last_name };

struct KnownColumn {
    std::string_view squeezed_name;
    Part part;
};

// In the order in which an id is looked for: what a person recognises before a platform's own number.
// Sources: the exports described by Gradescope ("Download grades"), Canvas (gradebook_exporter.rb), Moodle (grading
// worksheet), Brightspace (grades export) and Autolab (roster).
constexpr KnownColumn known_columns[] = {
    {"studentid", Part::id},         {"sid", Part::id},
    {"studentnumber", Part::id},     {"idnumber", Part::id},
    {"matriculation", Part::id},     {"matrikelnummer", Part::id},
    {"matrikel", Part::id},          {"orgdefinedid", Part::id},
    {"sisuserid", Part::id},         {"username", Part::login},
    {"login", Part::login},          {"sisloginid", Part::login},
    {"githubusername", Part::login}, {"id", Part::id},
    {"identifier", Part::id},        {"email", Part::email},
    {"emailaddress", Part::email},   {"name", Part::name},
    {"student", Part::name},         {"fullname", Part::name},
    {"firstname", Part::first_name}, {"givenname", Part::first_name},
    {"lastname", Part::last_name},   {"surname", Part::last_name},
    {"familyname", Part::last_name}, {"vorname", Part::first_name},
    {"nachname", Part::last_name},
};

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

struct Place {
    Part part;
    std::size_t rank;    // in known_columns
    std::size_t column;  // in the file
};

std::vector<Place> places_of(const CsvRow& header) {
    std::vector<Place> places;
    for (std::size_t rank = 0; rank < std::size(known_columns); ++rank)
        for (std::size_t column = 0; column < header.size(); ++column)
            if (squeezed(header[column]) == known_columns[rank].squeezed_name)
                places.push_back({known_columns[rank].part, rank, column});
    return places;
}

// Brightspace writes "#" before ids, so that spreadsheets keep them as text.
std::string without_hash(std::string text) {
    if (text.starts_with('#')) text.erase(0, 1);
    return text;
}

// "O'Brien, Ann" and "Ann O'Brien" are one name.
void add_name_keys(std::vector<Key>& keys, const std::string& name) {
    add_key(keys, name);
    if (const auto comma = name.find(','); comma != std::string::npos)
        add_key(keys, Key::joined(name.substr(comma + 1) + name.substr(0, comma)));
    else if (const auto space = name.rfind(' '); space != std::string::npos)
        add_key(keys, Key::joined(name.substr(space + 1) + name.substr(0, space)));
}

Student student_of(const CsvRow& row, const std::vector<Place>& places, const std::vector<std::size_t>& shown) {
    Student student;
    std::string first, last, login;
    const auto cell = [&](std::size_t column) { return column < row.size() ? row[column] : std::string(); };
    for (const Place& place : places) {
        const std::string text = without_hash(cell(place.column));
        if (text.empty()) continue;
        switch (place.part) {
            case Part::id:
            case Part::login:
                if (student.id.empty()) student.id = text;
                add_key(student.keys, text);
                break;
            case Part::email:
                if (student.email.empty()) student.email = text;
                add_key(student.keys, text);
                add_key(student.keys, std::string_view(text).substr(0, text.find('@')));
                break;
            case Part::name:
                if (student.name.empty()) student.name = text;
                break;
            case Part::first_name: first = text; break;
            case Part::last_name: last = text; break;
        }
    }
    if (student.name.empty()) student.name = first + (first.empty() || last.empty() ? "" : " ") + last;
    if (!first.empty() && !last.empty()) add_name_keys(student.keys, last + ", " + first);
    add_name_keys(student.keys, student.name);
    if (student.id.empty()) student.id = student.email.empty() ? student.name : student.email;
    for (const std::size_t column : shown) student.cells.push_back(cell(column));
    return student;
}

bool is_alike(const Key& one, const Key& other, Likeness likeness) {
    switch (likeness) {
        case Likeness::exactly: return !one.text.empty() && one.text == other.text;
        case Likeness::but_for_case: return !one.lower.empty() && one.lower == other.lower;
        case Likeness::nearly:
        case Likeness::by_number: break;
    }
    return one.squeezed == other.squeezed;
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
    const CsvRow& header = table->rows.front();
    const std::vector<Place> places = places_of(header);
    if (places.empty()) {
        std::string found;
        for (const std::string& name : header) found += (found.empty() ? "" : ", ") + name;
        return bad_roster(path, table->lines.front(), "no column of the roster says who a student is",
                          {"columns: " + found, "known: id, student id, SID, username, email, name, first name, ..."},
                          "begin the roster with a row of headings: id,name,email");
    }
    std::vector<std::size_t> shown;
    for (const Place& place : places) shown.push_back(place.column);
    std::sort(shown.begin(), shown.end());
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());

    Roster roster;
    for (const std::size_t column : shown) roster.columns.push_back(header[column]);
    std::map<std::string, int> line_of_id;
    for (std::size_t i = 1; i < table->rows.size(); ++i) {
        if (is_no_student(table->rows[i])) continue;
        Student student = student_of(table->rows[i], places, shown);
        if (student.id.empty()) continue;
        const auto [known, is_new] = line_of_id.emplace(lower_case(student.id), table->lines[i]);
        if (!is_new)
            return bad_roster(path, table->lines[i], fmt::format("two students have the id `{}`", student.id),
                              {fmt::format("the other one is in line {}", known->second)}, "give each student one row");
        roster.students.push_back(std::move(student));
    }
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
        Diagnostic missing{
            .blame = Blame::usage,
            .code = "no_such_file",
            .title = fmt::format("there is no file `{}`", path),
            .marks = {},
            .facts = {},
            .help = near ? fmt::format("`--roster {}` exists", *near) : "check the folder and the spelling"};
        return missing;
    }
    const auto text = read_whole_file(path, 64ull << 20);
    if (!text) return text.error();
    return parse_roster(*text, path);
}

Roster empty_roster() { return {{"id", "name"}, {}}; }

Match find_student(const Roster& roster, const Person& person) {
    const auto students_called = [&](const Key& key, Likeness likeness) {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < roster.students.size(); ++i) {
            const auto& own = roster.students[i].keys;
            if (std::any_of(own.begin(), own.end(), [&](const Key& one) { return is_alike(key, one, likeness); }))
                found.push_back(i);
        }
        return found;
    };
    const auto numbered =
        person.number.empty() ? std::vector<std::size_t>{} : students_called(person.number, Likeness::nearly);
    Match match;
    for (const Key& key : person.keys) {
        for (const Likeness likeness : {Likeness::exactly, Likeness::but_for_case, Likeness::nearly}) {
            const auto found = students_called(key, likeness);
            if (found.size() == 1) return {found.front(), false, likeness, key.text};
            if (found.empty()) continue;
            match.is_ambiguous = true;
            if (numbered.size() == 1 && std::find(found.begin(), found.end(), numbered.front()) != found.end())
                return {numbered.front(), false, likeness, key.text};
            break;
        }
    }
    if (!match.is_ambiguous && numbered.size() == 1)
        return {numbered.front(), false, Likeness::by_number, person.number};
    return match;
}

}  // namespace warpgrade::classroom
