// A class's files as the common tools for similarity take them: a folder a student, copies that a C++ parser reads, the
// stubs as what everybody has, former years apart, and the command to type. Nothing is sent anywhere.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "course/assignment.hpp"

namespace warpgrade::classroom {

enum class SimilarityTool { jplag, dolos, moss };
std::optional<SimilarityTool> similarity_tool_named(const std::string& name);

// The text with every launch's configuration, `<<<grid, block>>>`, as blanks: C++ parsers take it for shifts and lose
// the function around it. Lines and columns stay.
std::string without_launches(std::string_view source);

struct SimilarityExport {
    std::size_t students = 0, files = 0;
    std::string command;  // to type in the folder
};
// `from`: a class that `grade` wrote; `old`: classes of former years. Students are called as the class's files are.
// Error: usage: no files; host.
Result<SimilarityExport> export_similarity(SimilarityTool tool, const std::filesystem::path& from,
                                           const std::vector<std::string>& old, const std::vector<Assignment>& course,
                                           const std::filesystem::path& out);

}  // namespace warpgrade::classroom
