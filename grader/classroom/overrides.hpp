// What a person decides about a mark: `overrides.csv` in the class's folder. It wins always, is shown with its reason
// wherever the mark is, and is never written by the kit.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "course/assignment.hpp"

namespace warpgrade::classroom {

inline constexpr const char* overrides_file = "overrides.csv";

struct Override {
    double points = 0;
    bool is_excused = false;  // the stage counts neither as points nor in the maximum
    std::string reason;
    int line = 0;
};

struct Overrides {
    std::map<std::pair<std::string, std::string>, Override> marks;  // by student's id and stage, "transpose/padding"
    const Override* find(const std::string& student, const std::string& stage) const;
    // Of students who are not in the class, one sentence each.
    std::vector<std::string> of_nobody(const std::vector<std::string>& students) const;
};

// Columns student, stage, points (a number or `excused`), reason. `excused` may be for a whole assignment, or for `*`.
// Error: usage, with the line: no such stage, no points, no reason, more points than the stage has, two rows for one
// mark.
Result<Overrides> parse_overrides(std::string_view text, const std::string& path,
                                  const std::vector<Assignment>& course);

}  // namespace warpgrade::classroom
