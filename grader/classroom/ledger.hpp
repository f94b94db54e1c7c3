// The course's book: everything that was handed in and every mark that was given, in one file that only grows.
//
// Theory of operation. `ledger.jsonl` has one JSON object a line: a hand-in that was taken, a mark that was given or
// changed, what a course is and what counts in it. Nothing in it is ever changed: what holds now is what the last line
// about it says. A line is written whole and flushed before anything that depends on it; what a kill or a full disk
// left of a last line is no line, and the next one begins on a line of its own. So the file can be read with any tool,
// in ten years, and says of every mark who gave it, when, from which file, with which kit and seed. The files
// themselves are kept by digest beside it (EvidenceStore), and are never removed but by `forget`.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "classroom/batch.hpp"
#include "classroom/intake.hpp"

namespace warpgrade::classroom {

inline constexpr const char* ledger_file = "ledger.jsonl";

// One file for a stage, as it was taken.
struct TakenFile {
    std::string sha256, hand_in, file;
    std::optional<HandInTime> time;
    bool is_late = false;
    std::optional<std::int64_t> late_seconds{};
    bool is_decided = false;  // by a person
};

// A mark as it was given last.
struct GivenMark {
    double correctness = 0, technique = 0, performance = 0, total = 0, max = 0;
    std::string state, sha256;
    std::uint64_t seed = 0;
    bool is_alike(const GivenMark& other) const;
};

struct LedgerStudent {
    Student student;
    bool is_on_roster = false;
    // As the last run that heard of the student found it.
    std::vector<std::pair<std::string, std::optional<HandInTime>>> hand_ins;
    std::vector<std::string> notes, questions;
    std::map<std::string, std::string> unclear;
    std::string problem, doubt;
    bool is_late = false;
    std::map<std::string, TakenFile> files;  // by stage
    std::map<std::string, GivenMark> marks;  // by stage
};

struct Ledger {
    std::string course;                             // names it; empty: a new ledger
    std::vector<std::string> order;                 // of students, as they came
    std::map<std::string, LedgerStudent> students;  // by id
    std::set<std::string> stages;                   // that were asked for by name
    CsvRow columns;                                 // of the last roster
    std::optional<std::uint64_t> seed;              // that every mark is given with
};

// "0.9.0 8f22ac61711e": the kit by its version and commit, as results name it. `tool`: of a result.
std::string kit_of(const nlohmann::ordered_json& tool);

// Who writes, and with what: in every line.
struct LedgerWriter {
    std::filesystem::path folder;
    std::string who, when, version, device;
    std::uint64_t seed = 0;

    // Error: host: the line is not on the disk.
    Status append(const std::vector<nlohmann::ordered_json>& lines) const;
};

// Lines that are damaged are left out, and counted. Error: host.
struct ReadLedger {
    Ledger ledger;
    std::size_t damaged = 0;
};
Result<ReadLedger> read_ledger(const std::filesystem::path& folder);

// Files by their digest: `kept/<sha256>.cu`.
Status keep_evidence(const std::filesystem::path& folder, const std::string& sha256, const std::string& text);
Result<std::string> find_evidence(const std::filesystem::path& folder, const std::string& sha256);

}  // namespace warpgrade::classroom
