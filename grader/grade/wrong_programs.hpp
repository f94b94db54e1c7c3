// solutions/<assignment>/wrong/*.cu: what students might hand in, each saying in its first line what the kit must say
// of it: "// expect: stage=tile verdict=fault kind=out_of_bounds line=17". One that is right without the technique of
// its stage: "// expect: stage=tile verdict=pass rule=global_store_sectors_over_ideal".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "course/assignment.hpp"
#include "grade/result.hpp"

namespace warpgrade {

struct WrongProgram {
    std::string path;
    std::string stage;    // id
    std::string verdict;  // verdict_of_program
    std::string kind;     // of a finding; empty: any
    std::string pattern;  // of a wrong output; empty: any
    int line = 0;         // of that finding; 0: any
    std::string rule;     // what it compares: the rule does not hold, and correctness is all that counts; empty: any
};

// Those of an assignment, by name; none where it has no such folder. Error: a first line that does not say it, with a
// near name (course).
Result<std::vector<WrongProgram>> wrong_programs(const Assignment& assignment);
// The first line of one. `text`: the whole file.
Result<WrongProgram> read_expectation(const Assignment& assignment, const std::string& path, std::string_view text);

// compile_error, or the gravest verdict of its cases: launch_error, fault, timeout, wrong, pass.
std::string verdict_of_program(const StageResult& result);
// What it was to get and has not got.
std::optional<Diagnostic> disappointment(const WrongProgram& program, const StageResult& result);

}  // namespace warpgrade
