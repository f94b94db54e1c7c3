// JSON as text, for a file or a terminal: the only way from one to the other.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/characters.hpp"

namespace warpgrade {

// Always valid UTF-8, whatever bytes a name or a message holds, and nothing in it that steers a terminal. `indent`: as
// of nlohmann's dump, -1 for one line. Without a line break at the end.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
    return escape_json(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace warpgrade
