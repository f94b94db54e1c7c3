// What `export` makes of a class beside its marks: files for tools that look for similarity, a leaderboard.
#pragma once

#include <string>
#include <vector>

namespace warpgrade::cli {

struct ExportOptions {
    std::string what, from = "graded", into, out, column, feedback, tool;
    std::vector<std::string> old;
    bool scales = false, checks = false;
};

int export_similar(const ExportOptions& options);
int export_leaderboard(const ExportOptions& options);

}  // namespace warpgrade::cli
