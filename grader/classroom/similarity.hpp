// Files of a class that are alike, listed for a person: never a verdict, and no mark depends on it.
//
// Equal texts are listed wherever they are (but for untouched stubs, and what a group handed in together). Equal
// programs after compilation only where few have them: of an easy stage all right answers may be one program.
#pragma once

#include <string>
#include <vector>

#include "classroom/batch.hpp"

namespace warpgrade::classroom {

struct AlikeGroup {
    std::string stage;
    bool is_same_text = true;  // else the same program after compilation
    std::vector<std::string> students;
};

// The texts first; by stage, then by the first student.
std::vector<AlikeGroup> alike_files(const std::vector<StudentMarks>& students);

// How many programs a stage has after compilation, and how many students the commonest of them: of an easy stage one
// for most. It is counted, and names nobody.
struct ProgramCount {
    std::string stage;
    std::size_t files = 0, different = 0, commonest = 0;
};
std::vector<ProgramCount> programs_of(const std::vector<StudentMarks>& students);

}  // namespace warpgrade::classroom
