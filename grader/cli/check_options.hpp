// What `check` can be asked for, and what goes together.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "cli/check_formats.hpp"
#include "cli/check_view.hpp"
#include "cli/course.hpp"
#include "cli/options.hpp"

namespace warpgrade::cli {

struct CheckOptions : SharedOptions {
    std::vector<std::string> words;
    std::string report;  // folder; empty: none
    std::string out;     // file; empty: standard output
    bool is_watching = false;
    std::string page;  // file; empty: ASSIGNMENT_STAGE.html
    bool wants_page = false;
    std::size_t prints = CheckView{}.prints;
    bool wants_results() const { return check_format(format).needs_results || !report.empty(); }
    // The other formats have no use for what the first warp touches.
    bool wants_traces() const { return is_json() || !report.empty(); }
    bool names_all() const { return check_format(format).names_all || !out.empty(); }
};

// `--page STAGE` is a page of that stage: the word after the option is a file only where it ends in .html.
void take_page_word(CheckOptions& options);

// Error: usage, of options that do not go together, with the near-name of a choice.
Status check_fits(const CheckOptions& options);

using Lost = std::vector<std::pair<std::string, Diagnostic>>;

// The files to check, each word by itself: one that names nothing keeps no other from being checked.
Result<std::vector<Target>> find_what_there_is(const Course& course, const CheckOptions& options, Lost& lost);

}  // namespace warpgrade::cli
