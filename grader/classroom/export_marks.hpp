// A graded class's marks, as exports read them (marks.json), and which row of somebody else's table is whose.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "classroom/lms_names.hpp"
#include "classroom/platform_file.hpp"
#include "classroom/roster.hpp"

namespace warpgrade::classroom {

struct ExportStage {
    std::string stage;
    std::optional<double> total;
    double max = 0;
    bool is_handed_in = true, is_attempted = true, is_excused = false;
    std::string override_reason, sha256;
};

struct ExportStudent {
    std::string id, name, file, status, notes;
    std::string role;  // of who is not in the course: nothing of these goes out
    std::vector<std::string> hand_ins;
    std::vector<Key> keys;
    std::optional<double> total, points;  // as graded; with what lateness costs
    double max = 0;
    bool is_on_roster = false;
    std::vector<ExportStage> stages;
};

struct ExportMarks {
    std::vector<ExportStudent> students;
    double max = 0;

    // Of those who are in the course.
    std::vector<const ExportStudent*> in_course() const;
};

// Error: usage: the folder holds no marks.
Result<ExportMarks> read_marks(const std::filesystem::path& folder);

// Which of the marks are a row's: by ids, addresses and the platform's number, and by a full name only where neither
// side has another one of that name. npos: nobody's; `asks`: more than one may be.
struct RowMatch {
    std::size_t row = 0;
    std::optional<std::size_t> student;
    bool asks = false;
};
std::vector<RowMatch> match_rows(const PlatformTable& file, const Roster& theirs, const ExportMarks& marks);

// "naive_read 10/10, padding 12.5/14 (set by a person: ...)": one line.
std::string comment_for(const ExportStudent& student);

// At most two decimals, and a point.
std::string points_text(double value);

}  // namespace warpgrade::classroom
