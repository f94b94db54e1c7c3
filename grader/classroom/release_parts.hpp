// Texts of the student kit where it is less than the whole course: without some assignments, with fewer hints.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace warpgrade::classroom {

// assignment.toml with the first `most` hints of each stage.
std::string with_hints(const std::string& toml, std::size_t most);

// Whether a text names a stage or a file of one of these assignments: "reduction/...".
bool names_assignment(const std::string& text, const std::vector<std::string>& left_out);

// Without the sections (`## `) that name a stage or a file of an assignment that is left out, "reduction/...".
std::string without_assignments(const std::string& markdown, const std::vector<std::string>& left_out);

// Links to Markdown that is not in the kit become their words. `folder`: of the text, "" or "handouts"; `members`: the
// kit's files.
std::string without_dead_links(const std::string& markdown, const std::string& folder,
                               const std::set<std::string>& members);

}  // namespace warpgrade::classroom
