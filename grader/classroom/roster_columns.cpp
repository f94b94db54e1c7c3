#include "classroom/roster_columns.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "base/near_names.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {

namespace {

struct KnownColumn {
    std::string_view squeezed_name;
    RosterPart part;
};

// In the order in which an id is looked for: what a person recognises before a platform's own number.
// Sources: the exports described by Gradescope ("Download grades"), Canvas (gradebook_exporter.rb), Moodle (grading
// worksheet), Brightspace (grades export) and Autolab (roster).
constexpr KnownColumn known_columns[] = {
    {"studentid", RosterPart::id},
    {"sid", RosterPart::id},
    {"studentnumber", RosterPart::id},
    {"idnumber", RosterPart::id},
    {"idnummer", RosterPart::id},
    {"numerodidentification", RosterPart::id},
    {"numerodeid", RosterPart::id},
    {"matriculation", RosterPart::id},
    {"matrikelnummer", RosterPart::id},
    {"matrikel", RosterPart::id},
    {"orgdefinedid", RosterPart::id},
    {"rosteridentifier", RosterPart::id},
    {"sisuserid", RosterPart::id},
    {"username", RosterPart::login},
    {"login", RosterPart::login},
    {"sisloginid", RosterPart::login},
    {"benutzername", RosterPart::login},
    {"anmeldename", RosterPart::login},
    {"nomdutilisateur", RosterPart::login},
    {"githubusername", RosterPart::login},
    {"githublogin", RosterPart::login},
    {"loginid", RosterPart::login},
    {"userid", RosterPart::login},
    {"netid", RosterPart::login},
    {"eid", RosterPart::login},
    {"id", RosterPart::id},
    {"displayid", RosterPart::login},
    {"identifier", RosterPart::number},
    {"identifiant", RosterPart::number},
    {"identificador", RosterPart::number},
    {"email", RosterPart::email},
    {"emailaddress", RosterPart::email},
    {"emailadresse", RosterPart::email},
    {"adressedecourriel", RosterPart::email},
    {"direcciondecorreo", RosterPart::email},
    {"correoelectronico", RosterPart::email},
    {"mail", RosterPart::email},
    {"name", RosterPart::name},
    {"student", RosterPart::name},
    {"fullname", RosterPart::name},
    {"studentname", RosterPart::name},
    {"displayname", RosterPart::name},
    {"vollstandigername", RosterPart::name},
    {"nomcomplet", RosterPart::name},
    {"nombrecompleto", RosterPart::name},
    {"firstname", RosterPart::first_name},
    {"givenname", RosterPart::first_name},
    {"prenom", RosterPart::first_name},
    {"nombre", RosterPart::first_name},
    {"lastname", RosterPart::last_name},
    {"surname", RosterPart::last_name},
    {"familyname", RosterPart::last_name},
    {"nomdefamille", RosterPart::last_name},
    {"apellidos", RosterPart::last_name},
    {"vorname", RosterPart::first_name},
    {"nachname", RosterPart::last_name},
    {"canvasuserid", RosterPart::number},
    {"groupname", RosterPart::group},
    {"group", RosterPart::group},
    {"groups", RosterPart::group},
    {"teamname", RosterPart::group},
    {"team", RosterPart::group},
    {"gruppe", RosterPart::group},
    {"groupe", RosterPart::group},
    {"grupo", RosterPart::group},
    {"studentrepositoryname", RosterPart::repository},
    {"studentrepositoryurl", RosterPart::repository},
    {"repositoryname", RosterPart::repository},
    {"repository", RosterPart::repository},
    {"repo", RosterPart::repository},
    {"role", RosterPart::role},
    {"roles", RosterPart::role},
    {"courserole", RosterPart::role},
    {"enrollment", RosterPart::role},
    {"enrollmentstatus", RosterPart::role},
    {"enrolmentstatus", RosterPart::role},
    {"registrationstatus", RosterPart::role},
    {"gradingbasis", RosterPart::role},
    {"lastmodifiedsubmission", RosterPart::time},
    {"zuletztgeandertabgabe", RosterPart::time},
    {"dernieremodificationtravailremis", RosterPart::time},
    {"ultimamodificacionentrega", RosterPart::time},
    {"submissiontime", RosterPart::time},
    {"submissiontimestamp", RosterPart::time},
    {"submittedat", RosterPart::time},
    {"handedin", RosterPart::time},
    {"latenesshms", RosterPart::lateness},
    {"lateness", RosterPart::lateness},
    {"status", RosterPart::lateness},
    {"statut", RosterPart::lateness},
    {"estado", RosterPart::lateness},
    {"stato", RosterPart::lateness},
    {"section", RosterPart::section},
    {"sections", RosterPart::section},
    {"tutorial", RosterPart::section},
    {"recitation", RosterPart::section},
    {"ubungsgruppe", RosterPart::section},
};

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

}  // namespace

std::vector<RosterColumn> places_of(const CsvRow& header) {
    std::vector<RosterColumn> places;
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
    for (RosterColumn& place : places)
        if (is_canvas && known_columns[place.rank].squeezed_name == "id") place.part = RosterPart::number;
    return places;
}

void add_places_by_content(const CsvTable& table, std::size_t header_row, std::vector<RosterColumn>& places) {
    const CsvRow& header = table.rows[header_row];
    const auto known = [&](std::size_t column) {
        return std::find_if(places.begin(), places.end(),
                            [&](const RosterColumn& one) { return one.column == column; });
    };
    const auto has = [&](RosterPart part) {
        return std::any_of(places.begin(), places.end(), [&](const RosterColumn& one) { return one.part == part; });
    };
    const auto add = [&](RosterPart part, std::size_t column) {
        places.push_back({part, std::size(known_columns), column});
    };
    const auto ends_in_digit = [](const std::string& cell) { return cell.back() >= '0' && cell.back() <= '9'; };
    bool is_worksheet = false;
    for (std::size_t column = 0; column < header.size(); ++column) {
        const CsvRow cells = cells_of(table, header_row + 1, column);
        const auto place = known(column);
        if (are_participants(cells)) {
            is_worksheet = is_worksheet || column == 0;
            if (place == places.end())
                add(RosterPart::number, column);
            else if (place->part == RosterPart::id)
                place->part = RosterPart::number;
        } else if (place != places.end() && place->part == RosterPart::number && !cells.empty() &&
                   std::none_of(cells.begin(), cells.end(), ends_in_digit)) {
            place->part = RosterPart::id;  // GitHub Classroom's "identifier" is what the teacher calls people by
        } else if (place == places.end() && !has(RosterPart::email) && are_addresses(cells)) {
            add(RosterPart::email, column);
        }
    }
    if (is_worksheet && !has(RosterPart::name) && header.size() > 1 && known(1) == places.end() &&
        are_names(cells_of(table, header_row + 1, 1)))
        add(RosterPart::name, 1);
}

}  // namespace warpgrade::classroom
