// Members of JSON that a file holds, and of which nothing is certain: of another type, or of no object, is like
// missing.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace warpgrade {

inline const nlohmann::ordered_json& member(const nlohmann::ordered_json& json, const char* key) {
    static const nlohmann::ordered_json nothing;
    if (!json.is_object()) return nothing;
    const auto found = json.find(key);
    return found != json.end() ? *found : nothing;
}

inline std::string text_in(const nlohmann::ordered_json& json, const char* key) {
    const nlohmann::ordered_json& one = member(json, key);
    return one.is_string() ? one.get<std::string>() : "";
}

inline std::optional<double> number_in(const nlohmann::ordered_json& json, const char* key) {
    const nlohmann::ordered_json& one = member(json, key);
    return one.is_number() ? std::optional(one.get<double>()) : std::nullopt;
}

inline bool flag_in(const nlohmann::ordered_json& json, const char* key) {
    const nlohmann::ordered_json& one = member(json, key);
    return one.is_boolean() && one.get<bool>();
}

}  // namespace warpgrade
