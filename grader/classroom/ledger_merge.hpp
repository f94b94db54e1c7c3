// One run and all runs before it: what was handed in earlier counts as long as nothing later takes its place, and what
// a run changes is written down, for whom and why.
#pragma once

#include <string>
#include <vector>

#include "classroom/ledger.hpp"

namespace warpgrade::classroom {

// Adds to each student's files those that the ledger has and this run has not, and the students of whom this run has
// heard nothing: they are as they were. Of two files for a stage the one with the later date counts; where one has
// none, this run's. Adds to `notes` what was kept. Error: host (a file that was kept is gone or damaged).
Status merge_ledger(const Ledger& ledger, const std::filesystem::path& folder, bool has_roster,
                    std::vector<Submission>& submissions, std::vector<std::string>& notes);

// Keeps every file of this run, and writes what is new of students and files.
// The roster of the last run that had one; nothing: none had.
std::optional<Roster> roster_of(const Ledger& ledger);

Status record_hand_ins(const Ledger& ledger, const LedgerWriter& writer, const Roster& roster,
                       const std::vector<Submission>& submissions);

// One sentence for each mark that is another one now: "ann  transpose/padding: 10 -> 14 of 14 (another file)".
struct MarkChange {
    std::string student, stage, text;
    nlohmann::ordered_json line;  // for the ledger
    bool is_new = false;          // there was none before
};
std::vector<MarkChange> changes_of(const Ledger& ledger, const LedgerWriter& writer,
                                   const std::vector<StudentMarks>& students);

}  // namespace warpgrade::classroom
