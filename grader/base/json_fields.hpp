// Structs as JSON, by a list of their members: what is as it is in a new one is left out.
//
// Theory of operation. `json_fields(T*)`, found beside T, gives the list: {"line", &T::line}, ... Vectors, optionals,
// maps of strings and other structs with such a list nest; an enumeration is its number.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace warpgrade {

template <class Struct, class Member>
struct JsonField {
    const char* name;
    Member Struct::*member;
};
template <class Struct, class Member>
JsonField(const char*, Member Struct::*) -> JsonField<Struct, Member>;

using Json = nlohmann::ordered_json;

template <class T>
Json fields_to_json(const T& value, const T& usual = {});
template <class T>
void read_fields(const Json& json, T& to);

namespace json_fields_detail {

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
concept HasFields = requires {
    json_fields(static_cast<T*>(nullptr));
};

struct Anything {
    template <class T>
    operator T() const;
};
template <class T, class... Known>
consteval std::size_t member_count() {
    if constexpr (requires { T{Known{}..., Anything{}}; })
        return member_count<T, Known..., Anything>();
    else
        return sizeof...(Known);
}
template <class T>
inline constexpr bool lists_all = std::tuple_size_v<decltype(json_fields(static_cast<T*>(nullptr)))> ==
                                  member_count<T>();

}  // namespace json_fields_detail

// `usual`: what a reader begins with.
template <class T>
Json fields_to_json(const T& value, const T& usual) {
    using namespace json_fields_detail;
    if constexpr (HasFields<T>) {
        static_assert(lists_all<T>, "json_fields leaves a member out");
        Json json = Json::object();
        const auto put = [&](const auto& field) {
            const auto &own = value.*field.member, &known = usual.*field.member;
            Json member = fields_to_json(own, known);
            if constexpr (HasFields<std::remove_cvref_t<decltype(own)>>) {
                if (!member.empty()) json[field.name] = std::move(member);
            } else if (member != fields_to_json(known)) {
                json[field.name] = std::move(member);
            }
        };
        std::apply([&](const auto&... field) { (put(field), ...); }, json_fields(static_cast<T*>(nullptr)));
        return json;
    } else if constexpr (IsVector<T>::value) {
        Json json = Json::array();
        for (const auto& one : value) json.push_back(fields_to_json(one));
        return json;
    } else if constexpr (IsOptional<T>::value) {
        return value ? fields_to_json(*value) : Json();
    } else if constexpr (std::is_enum_v<T>) {
        return static_cast<int>(value);
    } else {
        return value;
    }
}

// Throws std::runtime_error, or what the JSON library throws: another type, or a member that the list has not.
template <class T>
void read_fields(const Json& json, T& to) {
    using namespace json_fields_detail;
    if constexpr (HasFields<T>) {
        std::size_t known = 0;
        const auto get = [&](const auto& field) {
            const auto found = json.find(field.name);
            if (found == json.end()) return;
            ++known;
            read_fields(*found, to.*field.member);
        };
        std::apply([&](const auto&... field) { (get(field), ...); }, json_fields(static_cast<T*>(nullptr)));
        if (known != json.size()) throw std::runtime_error("a member that is not known");
    } else if constexpr (IsVector<T>::value) {
        to.clear();
        for (const Json& one : json) read_fields(one, to.emplace_back());
    } else if constexpr (IsOptional<T>::value) {
        if (!json.is_null()) read_fields(json, to.emplace());
    } else if constexpr (std::is_enum_v<T>) {
        to = static_cast<T>(json.get<int>());
    } else {
        to = json.get<T>();
    }
}

}  // namespace warpgrade
