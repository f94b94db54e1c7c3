// Files to begin a problem or a stage with. What they make verifies at once; TODO marks what an author puts in its
// place.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "course/assignment.hpp"

namespace warpgrade {

struct ScaffoldFile {
    std::string path;  // from the course's root
    std::string text;
    bool is_new = true;  // false: in place of a file that is there
};

// Lower-case letters, digits and _, a letter first: it becomes a folder and a function. Error: usage.
Status check_new_name(const std::string& name);

// assignments/<name>/ with problem.toml, problem.cu, assignment.toml of one stage and its stub; solutions/<name>/ with
// its solution and a wrong program. Error: usage, where there is such an assignment or problem.
Result<std::vector<ScaffoldFile>> new_problem(const std::vector<Assignment>& course, const std::string& name);

// One more stage at the end of an assignment: it begins with the last one's stub and solution, and gives no points yet.
// Error: usage or course.
Result<std::vector<ScaffoldFile>> new_stage(const std::vector<Assignment>& course, const std::string& assignment,
                                            const std::string& name);

}  // namespace warpgrade
