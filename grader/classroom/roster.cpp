#include "classroom/roster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

#include "base/files.hpp"
#include "base/near_names.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

enum class Part {
    id,
    login,
    number,
    email,
    name,
    first_name,
    last_name,
    group,
    repository,
    role,
    time,
    lateness,
    section
};

struct KnownColumn {
    std::string_view squeezed_name;
    Part part;
};

// In the order in which an id is looked for: what a person recognises before a platform's own number.
// Sources: the exports described by Gradescope ("Download grades"), Canvas (gradebook_exporter.rb), Moodle (grading
// worksheet), Brightspace (grades export) and Autolab (roster).
constexpr KnownColumn known_columns[] = {
    {"studentid", Part::id},
    {"sid", Part::id},
    {"studentnumber", Part::id},
    {"idnumber", Part::id},
    {"idnummer", Part::id},
    {"numerodidentification", Part::id},
    {"numerodeid", Part::id},
    {"matriculation", Part::id},
    {"matrikelnummer", Part::id},
    {"matrikel", Part::id},
    {"orgdefinedid", Part::id},
    {"rosteridentifier", Part::id},
    {"sisuserid", Part::id},
    {"username", Part::login},
    {"login", Part::login},
    {"sisloginid", Part::login},
    {"benutzername", Part::login},
    {"anmeldename", Part::login},
    {"nomdutilisateur", Part::login},
    {"githubusername", Part::login},
    {"githublogin", Part::login},
    {"loginid", Part::login},
    {"userid", Part::login},
    {"netid", Part::login},
    {"eid", Part::login},
    {"id", Part::id},
    {"displayid", Part::login},
    {"identifier", Part::number},
    {"identifiant", Part::number},
    {"identificador", Part::number},
    {"email", Part::email},
    {"emailaddress", Part::email},
    {"emailadresse", Part::email},
    {"adressedecourriel", Part::email},
    {"direcciondecorreo", Part::email},
    {"correoelectronico", Part::email},
    {"mail", Part::email},
    {"name", Part::name},
    {"student", Part::name},
    {"fullname", Part::name},
    {"studentname", Part::name},
    {"displayname", Part::name},
    {"vollstandigername", Part::name},
    {"nomcomplet", Part::name},
    {"nombrecompleto", Part::name},
    {"firstname", Part::first_name},
    {"givenname", Part::first_name},
    {"prenom", Part::first_name},
    {"nombre", Part::first_name},
    {"lastname", Part::last_name},
    {"surname", Part::last_name},
    {"familyname", Part::last_name},
    {"nomdefamille", Part::last_name},
    {"apellidos", Part::last_name},
    {"vorname", Part::first_name},
    {"nachname", Part::last_name},
    {"canvasuserid", Part::number},
    {"groupname", Part::group},
    {"group", Part::group},
    {"groups", Part::group},
    {"teamname", Part::group},
    {"team", Part::group},
    {"gruppe", Part::group},
    {"groupe", Part::group},
    {"grupo", Part::group},
    {"studentrepositoryname", Part::repository},
    {"studentrepositoryurl", Part::repository},
    {"repositoryname", Part::repository},
    {"repository", Part::repository},
    {"repo", Part::repository},
    {"role", Part::role},
    {"roles", Part::role},
    {"courserole", Part::role},
    {"enrollment", Part::role},
    {"enrollmentstatus", Part::role},
    {"enrolmentstatus", Part::role},
    {"registrationstatus", Part::role},
    {"gradingbasis", Part::role},
    {"lastmodifiedsubmission", Part::time},
    {"zuletztgeandertabgabe", Part::time},
    {"dernieremodificationtravailremis", Part::time},
    {"ultimamodificacionentrega", Part::time},
    {"submissiontime", Part::time},
    {"submissiontimestamp", Part::time},
    {"submittedat", Part::time},
    {"handedin", Part::time},
    {"latenesshms", Part::lateness},
    {"lateness", Part::lateness},
    {"status", Part::lateness},
    {"statut", Part::lateness},
    {"estado", Part::lateness},
    {"stato", Part::lateness},
    {"section", Part::section},
    {"sections", Part::section},
    {"tutorial", Part::section},
    {"recitation", Part::section},
    {"ubungsgruppe", Part::section},
};

// Of an attempt, and nothing that says who a student is.
bool is_of_attempt(Part part) { return part == Part::time || part == Part::lateness; }
bool is_id(Part part) { return part == Part::id || part == Part::login || part == Part::number || part == Part::email; }

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

struct ColumnPlace {
    Part part;
    std::size_t rank;    // in known_columns
    std::size_t column;  // in the file
};

std::vector<ColumnPlace> places_of(const CsvRow& header) {
    std::vector<ColumnPlace> places;
    for (std::size_t rank = 0; rank < std::size(known_columns); ++rank)
        for (std::size_t column = 0; column < header.size(); ++column)
            if (squeezed(header[column]) == known_columns[rank].squeezed_name)
                places.push_back({known_columns[rank].part, rank, column});
    // Canvas's own column "ID" stands beside "Student" and its logins; a school's list has no such columns.
    const auto has = [&](std::string_view name) {
        return std::any_of(header.begin(), header.end(),
                           [&](const std::string& cell) { return squeezed(cell) == name; });
    };
    const bool is_canvas = has("student") && (has("sisloginid") || has("sisuserid") || has("section"));
    for (ColumnPlace& place : places)
        if (is_canvas && known_columns[place.rank].squeezed_name == "id") place.part = Part::number;
    return places;
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

// What a column is by what is in it, where its heading is in a language that is not known. The cells that say anything.
CsvRow cells_of(const CsvTable& table, std::size_t first_row, std::size_t column) {
    CsvRow cells;
    for (std::size_t row = first_row; row < table.rows.size(); ++row)
        if (column < table.rows[row].size() && !table.rows[row][column].empty())
            cells.push_back(table.rows[row][column]);
    return cells;
}

// "Participant 4711", "Teilnehmer/in 5001": one word for all, and a number.
bool are_participants(const CsvRow& cells) {
    const auto word_of = [](const std::string& cell) {
        const auto last = cell.find_last_not_of("0123456789");
        return last == std::string::npos || last + 1 == cell.size() ? std::string() : cell.substr(0, last + 1);
    };
    const std::string word = cells.empty() ? "" : word_of(cells.front());
    constexpr std::size_t fewest = 3;  // bytes: "s1001" is a school's id
    if (word.size() < fewest || (word.back() != ' ' && static_cast<unsigned char>(word.back()) < 0x80)) return false;
    return std::all_of(cells.begin(), cells.end(), [&](const std::string& cell) { return word_of(cell) == word; });
}

bool are_addresses(const CsvRow& cells) {
    return !cells.empty() && std::all_of(cells.begin(), cells.end(), [](const std::string& cell) {
        const auto at = cell.find('@');
        return at != std::string::npos && at > 0 && cell.find('.', at) != std::string::npos &&
               cell.find(' ') == std::string::npos;
    });
}

// Beside the platform's numbers: words without digits, and hardly any of them twice, as a state of the work would be.
bool are_names(const CsvRow& cells) {
    std::set<std::string> different;
    for (const std::string& cell : cells) {
        if (cell.find_first_of("0123456789@") != std::string::npos) return false;
        different.insert(cell);
    }
    constexpr std::size_t enough = 3;
    return cells.size() >= 2 && different.size() * enough >= cells.size() * 2;
}

void add_places_by_content(const CsvTable& table, std::size_t header_row, std::vector<ColumnPlace>& places) {
    const CsvRow& header = table.rows[header_row];
    const auto known = [&](std::size_t column) {
        return std::find_if(places.begin(), places.end(), [&](const ColumnPlace& one) { return one.column == column; });
    };
    const auto has = [&](Part part) {
        return std::any_of(places.begin(), places.end(), [&](const ColumnPlace& one) { return one.part == part; });
    };
    const auto add = [&](Part part, std::size_t column) { places.push_back({part, std::size(known_columns), column}); };
    const auto ends_in_digit = [](const std::string& cell) { return cell.back() >= '0' && cell.back() <= '9'; };
    bool is_worksheet = false;
    for (std::size_t column = 0; column < header.size(); ++column) {
        const CsvRow cells = cells_of(table, header_row + 1, column);
        const auto place = known(column);
        if (are_participants(cells)) {
            is_worksheet = is_worksheet || column == 0;
            if (place == places.end())
                add(Part::number, column);
            else if (place->part == Part::id)
                place->part = Part::number;
        } else if (place != places.end() && place->part == Part::number && !cells.empty() &&
                   std::none_of(cells.begin(), cells.end(), ends_in_digit)) {
            place->part = Part::id;  // GitHub Classroom's "identifier" is what the teacher calls people by
        } else if (place == places.end() && !has(Part::email) && are_addresses(cells)) {
            add(Part::email, column);
        }
    }
    if (is_worksheet && !has(Part::name) && header.size() > 1 && known(1) == places.end() &&
        are_names(cells_of(table, header_row + 1, 1)))
        add(Part::name, 1);
}

Student student_of(const CsvRow& row, const CsvRow& header, const std::vector<ColumnPlace>& places,
                   const std::vector<std::size_t>& shown) {
    Student student;
    std::string first, last, number;
    const auto cell = [&](std::size_t column) { return column < row.size() ? row[column] : std::string(); };
    for (const ColumnPlace& place : places) {
        const std::string text = without_hash(cell(place.column));
        if (text.empty()) continue;
        switch (place.part) {
            case Part::id:
            case Part::login:
                if (student.id.empty()) student.id = text;
                add_key(student.keys, Key::Kind::id, text);
                if (text.find('@') != std::string::npos) add_key(student.keys, Key::Kind::email, text);
                break;
            case Part::number:
                if (number.empty()) number = text;
                add_key(student.keys, Key::Kind::number, last_number(text));
                break;
            case Part::email:
                if (student.email.empty()) student.email = text;
                add_key(student.keys, Key::Kind::email, text);
                add_key(student.keys, Key::Kind::mailbox, std::string_view(text).substr(0, text.find('@')));
                break;
            case Part::name:
                if (student.name.empty()) student.name = text;
                break;
            case Part::group: add_group_keys(student.keys, header[place.column], text); break;
            case Part::repository: add_key(student.keys, Key::Kind::group, repository_in(text)); break;
            case Part::role:
                if (is_out_of_course(text)) student.role = text;
                break;
            case Part::section:
                if (student.section.empty()) student.section = text;
                break;
            case Part::first_name: first = text; break;
            case Part::last_name: last = text; break;
            case Part::time:
                if (!student.handed_in) student.handed_in = time_in(text);
                break;
            case Part::lateness:
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
    std::vector<ColumnPlace> places = places_of(header);
    add_places_by_content(*table, header_row, places);
    const auto says_who = [](const ColumnPlace& place) {
        return !is_of_attempt(place.part) && place.part != Part::section;
    };
    const auto names = [](const ColumnPlace& place) {
        return is_id(place.part) || place.part == Part::name || place.part == Part::first_name ||
               place.part == Part::last_name;
    };
    if (std::none_of(places.begin(), places.end(), names)) {
        std::string found;
        for (const std::string& name : header) found += (found.empty() ? "" : ", ") + name;
        return bad_roster(path, table->lines.front(), "no column of the roster says who a student is",
                          {"columns: " + found, "known: id, student id, SID, username, email, name, first name, ..."},
                          "begin the roster with a row of headings: id,name,email");
    }
    std::vector<std::size_t> shown;
    for (const ColumnPlace& place : places)
        if (says_who(place)) shown.push_back(place.column);
    std::sort(shown.begin(), shown.end());
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());

    Roster roster;
    for (const std::size_t column : shown) roster.columns.push_back(header[column]);
    for (const ColumnPlace& place : places)
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

namespace {

// How the roster's key is the hand-in's, if it is.
std::optional<Likeness> likeness_of(const Key& asked, const Key& own) {
    if (asked.kind == Key::Kind::group || own.kind == Key::Kind::group) return std::nullopt;
    if (asked.kind == Key::Kind::number || own.kind == Key::Kind::number) {
        const bool are_both = asked.kind == own.kind;
        return are_both && asked.text == own.text ? std::optional(Likeness::exactly) : std::nullopt;
    }
    const bool may_be =
        asked.kind == Key::Kind::whole || asked.kind == own.kind ||
        (asked.kind == Key::Kind::id && (own.kind == Key::Kind::mailbox || own.kind == Key::Kind::email)) ||
        (asked.kind == Key::Kind::email && own.kind == Key::Kind::id);
    if (!may_be || asked.squeezed != own.squeezed) return std::nullopt;
    if (own.kind == Key::Kind::mailbox) return Likeness::nearly;
    const bool is_address =
        own.kind == Key::Kind::email && asked.lower == own.lower;  // no two differ by capitals alone
    if (asked.text == own.text || is_address) return Likeness::exactly;
    if (own.kind == Key::Kind::name) return Likeness::full_name;
    return asked.lower == own.lower ? Likeness::but_for_case : Likeness::nearly;
}

struct Fit {
    std::size_t student;
    Likeness likeness;
    bool is_name;
};

// Who is called so. Who is called exactly so in a column of ids or addresses is before who is called nearly so there; a
// name is another reading, and stays beside them.
std::vector<Fit> fits_of(const Roster& roster, const Key& asked) {
    std::vector<Fit> fits;
    Likeness best_id = Likeness::by_number;
    for (std::size_t i = 0; i < roster.students.size(); ++i) {
        std::optional<Fit> best;
        for (const Key& own : roster.students[i].keys) {
            const auto likeness = likeness_of(asked, own);
            if (likeness && (!best || *likeness < best->likeness))
                best = Fit{i, *likeness, own.kind == Key::Kind::name};
        }
        if (!best) continue;
        if (!best->is_name) best_id = std::min(best_id, best->likeness);
        fits.push_back(*best);
    }
    std::erase_if(fits, [&](const Fit& fit) { return !fit.is_name && fit.likeness > best_id; });
    const bool has_exact_name = std::any_of(
        fits.begin(), fits.end(), [](const Fit& fit) { return fit.is_name && fit.likeness == Likeness::exactly; });
    if (has_exact_name) std::erase_if(fits, [](const Fit& fit) { return fit.likeness == Likeness::nearly; });
    return fits;
}

std::vector<std::size_t> who_of(const std::vector<Fit>& fits) {
    std::vector<std::size_t> students;
    for (const Fit& fit : fits) students.push_back(fit.student);
    return students;
}

std::vector<std::size_t> in_both(const std::vector<std::size_t>& one, const std::vector<std::size_t>& other) {
    std::vector<std::size_t> both;
    std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(both));
    return both;
}

// The student's name with something in front or behind, as a group's; or a word that says no name: "Participant 4711".
bool is_called_so(const Student& student, const Person& person) {
    const bool has_name = std::any_of(student.keys.begin(), student.keys.end(),
                                      [](const Key& own) { return own.kind == Key::Kind::name; });
    if (!has_name) return true;
    return std::any_of(person.keys.begin(), person.keys.end(), [&](const Key& asked) {
        const bool is_cell = std::any_of(student.cells.begin(), student.cells.end(), [&](const std::string& cell) {
            return squeezed(cell) == asked.squeezed + person.number;
        });
        return is_cell || std::any_of(student.keys.begin(), student.keys.end(), [&](const Key& own) {
                   return own.kind == Key::Kind::name &&
                          (asked.squeezed.ends_with(own.squeezed) || asked.squeezed.starts_with(own.squeezed));
               });
    });
}

}  // namespace

Match find_student(const Roster& roster, const Person& person) {
    Match match;
    std::vector<std::size_t> anybody;
    bool is_first = true;
    const auto take = [&](const Key& key) {
        const std::vector<Fit> fits = fits_of(roster, key);
        if (fits.empty()) return;
        const std::vector<std::size_t> students = who_of(fits);
        anybody.insert(anybody.end(), students.begin(), students.end());
        match.students = is_first ? students : in_both(match.students, students);
        for (const Fit& fit : fits) {
            if (is_first || fit.likeness < match.likeness) {
                match.likeness = fit.likeness;
                match.text = key.text;
            }
            is_first = false;
        }
    };
    for (const Key& key : person.keys) take(key);
    const bool has_names = !is_first;
    if (person.is_guess) match.likeness = std::max(match.likeness, Likeness::nearly);
    if (!person.number.empty()) take(Key(Key::Kind::number, person.number));
    match.is_other_name = !has_names && !person.keys.empty() && match.is_one() &&
                          !is_called_so(roster.students[match.students.front()], person);
    // The keys contradict each other: it may be any of those that one of them fits.
    if (match.students.empty() && !anybody.empty()) {
        std::sort(anybody.begin(), anybody.end());
        anybody.erase(std::unique(anybody.begin(), anybody.end()), anybody.end());
        match.students = std::move(anybody);
        return match;
    }
    if (person.number.empty() || match.is_one()) return match;
    // A column of ids may hold the platform's numbers.
    const auto numbered = who_of(fits_of(roster, Key(Key::Kind::id, person.number)));
    if (has_names) {
        const auto both = in_both(match.students, numbered);
        if (both.size() == 1) match.students = both;
    } else if (numbered.size() == 1) {
        match = {numbered, Likeness::by_number, person.number};
    }
    return match;
}

Members find_members(const Roster& roster, const Person& person) {
    Members members;
    for (const Key& asked : person.keys) {
        std::vector<std::size_t> its;
        for (std::size_t i = 0; i < roster.students.size(); ++i)
            if (std::any_of(roster.students[i].keys.begin(), roster.students[i].keys.end(), [&](const Key& own) {
                    return own.kind == Key::Kind::group && own.squeezed == asked.squeezed;
                }))
                its.push_back(i);
        if (its.empty() || its == members.students) continue;
        members.is_sure = members.students.empty();
        members.students.insert(members.students.end(), its.begin(), its.end());
        if (!members.is_sure) break;
    }
    std::sort(members.students.begin(), members.students.end());
    members.students.erase(std::unique(members.students.begin(), members.students.end()), members.students.end());
    return members;
}

std::vector<std::size_t> students_called(const Roster& roster, const std::string& text) {
    // Spreadsheets take the zeros in front of a number away.
    const auto plain = [](const std::string& id) { return id.substr(std::min(id.find_first_not_of('0'), id.size())); };
    using Kind = Key::Kind;
    const auto has_key = [](const Student& one, const auto& fits) {
        return std::any_of(one.keys.begin(), one.keys.end(), fits);
    };
    const Key asked(Kind::whole, text);
    const auto is_id_of = [&](const Key& own) {
        return (own.kind == Kind::id || own.kind == Kind::email || own.kind == Kind::number) &&
               own.lower == asked.lower;
    };
    const auto is_name_of = [&](const Key& own) { return own.kind == Kind::name && own.squeezed == asked.squeezed; };
    const std::function<bool(const Student&)> ways[] = {
        [&](const Student& one) { return one.id == text; },
        [&](const Student& one) { return plain(one.id) == plain(text); },
        [&](const Student& one) { return has_key(one, is_id_of); },
        [&](const Student& one) { return !asked.squeezed.empty() && has_key(one, is_name_of); },
    };
    std::vector<std::size_t> found;
    for (const auto& is_meant : ways) {
        for (std::size_t i = 0; i < roster.students.size(); ++i)
            if (is_meant(roster.students[i])) found.push_back(i);
        if (!found.empty()) break;
    }
    return found;
}

std::string id_columns_text(const Roster& roster) {
    std::string text;
    for (std::size_t i = 0; i < roster.id_columns.size(); ++i)
        text += (i == 0 ? "`" : i + 1 == roster.id_columns.size() ? " or `" : ", `") + roster.id_columns[i] + "`";
    return text.empty() ? "`id`" : text;
}

}  // namespace warpgrade::classroom
