// By what a student may be called where a person writes one down: on the command line and in the tables that lie in a
// class's folder. Any id, address or number of the roster, or the full name; the class's own files have one of them.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.hpp"
#include "classroom/late_policy.hpp"
#include "classroom/ledger.hpp"
#include "classroom/overrides.hpp"
#include "classroom/roster.hpp"

namespace warpgrade::classroom {

// The id by which the folder's files know a student; with pseudonyms, the pseudonym. Error: usage: nobody's, or more
// than one student's.
Result<std::string> id_in_book(const std::filesystem::path& folder, const Ledger& ledger, const std::string& text);

// Gives overrides and extensions the roster's ids. What is nobody's stays as it was. Error: usage: two rows for one
// mark.
Status settle_ids(const Roster& roster, Overrides& overrides, LateRules& late);

}  // namespace warpgrade::classroom
