// Who is behind a pseudonym: `identities.json`, the one file of a class's folder that says it.
//
// Theory of operation. With `grade --pseudonyms` names end where reading ends: once it is settled whose each file is,
// every student is called by two words that only this file joins with a name, hand-ins by a number, and what was said
// of them in sentences (which quote folders and files) is moved here as well. All that is written after that, results,
// reports, the class page, the gradebook, the ledger, has no name to leak. `export` joins again. The words are drawn
// from a salt that is kept here, so the same student has the same ones in every run, and without this file nobody can
// find out which.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "classroom/export_marks.hpp"
#include "classroom/intake.hpp"

namespace warpgrade::classroom {

inline constexpr const char* identities_file = "identities.json";
// What stands in the place of a sentence that may name somebody.
inline constexpr const char* said_elsewhere = "a person has to look: identities.json says at what";

struct Identity {
    std::string pseudonym;
    Student student;
    bool is_on_roster = false;
    std::vector<std::string> hand_ins;  // as they are called
    std::vector<std::string> said;      // notes, questions, and why a stage has no mark
};

struct Identities {
    std::string salt;
    CsvRow columns;  // of the roster
    std::vector<Identity> all;
    std::vector<std::string> said;  // of the class

    const Identity* of_id(const std::string& id) const;
    const Identity* of_pseudonym(const std::string& pseudonym) const;
    // Those on the roster, in its order.
    Roster roster() const;
};

// Nothing: the folder's students have their names. Error: the file is damaged (usage).
Result<std::optional<Identities>> read_identities(const std::filesystem::path& folder);
Status write_identities(const std::filesystem::path& folder, const Identities& identities);
// Without anybody in it.
Identities new_identities();

// "amber-otter", and with a number where that is taken.
std::string pseudonym_for(const std::string& salt, const std::string& id, const std::set<std::string>& taken);

// From here on the submissions name nobody, are in the order of their pseudonyms, and the roster has one column.
void take_names_out(std::vector<Submission>& submissions, Roster& roster, Identities& identities);

// The id by which the folder's own files know a student: itself, or the pseudonym.
std::string id_inside(const std::filesystem::path& folder, const std::string& id);

// Marks with names again, for what goes out. Where the class has no pseudonyms, they are as they were.
Status join_identities(const std::filesystem::path& folder, ExportMarks& marks);

}  // namespace warpgrade::classroom
