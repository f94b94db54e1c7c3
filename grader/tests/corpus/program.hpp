// A program of the corpus: grader/tests/submissions/<what the kit must say>/<name>.cu, and what its first lines ask
// for.
//
//   // stage: transpose/padding                 the stage that it is graded as
//   // says: race_shared                        a finding of this kind, error or warning
//   // says: wrong_output rows_cols_swapped     ... from a judgement with this pattern
//   // says: rule shared_load_requests          a technique rule over this number does not hold
//   // says: compiler                           an error of the compiler
//
// A line that ends in `// <--` must be named by what is said.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace warpgrade::corpus {

struct Program {
    std::string path;
    std::string name;      // "race_shared/barrier_missing.cu"
    std::string expected;  // its folder
    std::string stage;
    std::string says, detail;  // the two words of the line, empty where there is none
    std::vector<int> arrows;
};

inline Program read_program(const std::filesystem::path& path) {
    Program program;
    program.path = path.string();
    program.expected = path.parent_path().filename().string();
    program.name = program.expected + "/" + path.filename().string();
    std::ifstream file(path);
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (line.ends_with("// <--")) program.arrows.push_back(number);
        const auto rest_after = [&](std::string_view start) {
            return line.starts_with(start) ? line.substr(start.size()) : std::string();
        };
        if (const auto stage = rest_after("// stage: "); !stage.empty()) program.stage = stage;
        if (const auto says = rest_after("// says: "); !says.empty())
            std::istringstream(says) >> program.says >> program.detail;
    }
    return program;
}

// By name, so that the order does not depend on the file system.
inline std::vector<Program> all_programs(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".cu") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<Program> programs;
    for (const auto& path : paths) programs.push_back(read_program(path));
    return programs;
}

}  // namespace warpgrade::corpus
