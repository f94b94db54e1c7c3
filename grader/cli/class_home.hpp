// The folder of a class: nobody else's, and of one run at a time. Two would each remove what the other writes.
#pragma once

#include <filesystem>

#include "base/result.hpp"

namespace warpgrade::cli {

class ClassHome {
public:
    ~ClassHome();
    // Makes it, and keeps it until the end. Error: host (it cannot be written), usage (somebody else's, or in use).
    Status take(const std::filesystem::path& folder);

private:
    int lock_ = -1;
};

}  // namespace warpgrade::cli
