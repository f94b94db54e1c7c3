// The page that the package reports/ makes of what `explain` sees: `explain --page`, and `--page` of `check`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/result.hpp"
#include "cli/course.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"

namespace warpgrade::cli {

// A page stands alone as a file; one that is served asks its server for the next version.
enum class PageUse { file, served };

// `report`: result JSON of one stage with a trace. Returns what the package printed, a line for the terminal. Error:
// host (no Python packages), usage (the file cannot be written), or a defect.
Result<std::string> write_live_page(const Course& course, const nlohmann::ordered_json& report, const std::string& file,
                                    PageUse use = PageUse::file);

// Explains the target's file on the virtual GPU and writes its page. Error: those of write_live_page and of a run; the
// learner's where there is nothing to draw.
Result<std::string> explain_to_page(const Course& course, const Machine& machine, const SharedOptions& options,
                                    const Target& target, const std::string& file, PageUse use = PageUse::file);

}  // namespace warpgrade::cli
