// The sentences of messages: rows of explain/sentences/*.toml, which are part of the library.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace warpgrade {

// Throws std::out_of_range: no row has this id. grader/tests/lint holds ids and numbers of arguments to the rows.
std::string_view sentence(std::string_view id);

// The sentence, with its arguments in the places of {}.
template <class... Arguments>
std::string say(std::string_view id, const Arguments&... arguments) {
    return fmt::vformat(sentence(id), fmt::make_format_args(arguments...));
}

}  // namespace warpgrade
