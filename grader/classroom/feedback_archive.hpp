// The reports of a class as one zip, each under the name by which the platform knows its student's hand-in.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "classroom/export_marks.hpp"

namespace warpgrade::classroom {

// Files without compression, in the order given; the same files make the same bytes.
std::string zip_of(const std::vector<std::pair<std::string, std::string>>& files);

struct FeedbackArchive {
    std::string bytes;
    std::size_t reports = 0;
};
// `rows`: rows of the platform's file and whose they are. Error: usage: there are no reports.
Result<FeedbackArchive> feedback_archive(const PlatformTable& file,
                                         const std::vector<std::pair<std::size_t, const ExportStudent*>>& rows,
                                         const std::filesystem::path& folder);

}  // namespace warpgrade::classroom
