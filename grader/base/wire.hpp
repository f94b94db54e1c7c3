// What parent and worker say to each other: a message is a list of byte strings. JSON will not do, since a submission
// may hold bytes that are not UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::wire {

using Fields = std::vector<std::string>;

// 8 bytes of total length, 4 of field count, then each field with 4 bytes of length; little-endian.
std::string pack(const Fields& fields);

// nullopt: not exactly one whole message.
std::optional<Fields> unpack(std::string_view bytes);

// True once `bytes` starts with a whole message or with something that can never become one.
bool is_complete(std::string_view bytes);

// Splits the first whole message off. nullopt: there is none, or it is malformed.
std::optional<Fields> take(std::string_view& bytes);

}  // namespace warpgrade::wire
