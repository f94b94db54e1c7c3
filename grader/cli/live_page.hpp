// `explain --page`: the page that the package reports/ makes of what was explained.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/result.hpp"
#include "cli/course.hpp"

namespace warpgrade::cli {

// `report`: result JSON of one stage with a trace. Returns what the package printed, a line for the terminal. Error:
// host (no Python packages), usage (the file cannot be written), or a defect.
Result<std::string> write_live_page(const Course& course, const nlohmann::ordered_json& report,
                                    const std::string& file);

}  // namespace warpgrade::cli
