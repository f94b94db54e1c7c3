// Takes a student out of a class's folder: results, reports, what was handed in, rows of tables, lines of the ledger.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace warpgrade::classroom {

struct Forgotten {
    std::vector<std::string> removed;  // files that are gone, below the folder
    std::vector<std::string> changed;  // files that are without the student now
    std::vector<std::string> left;     // files that still hold the id, the name or the address
};
// Files that another student handed in alike stay. Error: usage: nobody is called so; host.
Result<Forgotten> forget_student(const std::filesystem::path& folder, const std::string& id);

}  // namespace warpgrade::classroom
