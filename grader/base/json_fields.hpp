// Structs as JSON, by a list of their members: what is as it is in a new one is left out.
//
// Theory of operation. `json_fields(T*)`, found beside T, gives json_list(json_field<&T::line>("line"), ...).
// Vectors, optionals, maps of strings and other structs with such a list nest; an enumeration is its number. What a
// field does is made once for each type of a member, and the loops over lists are no templates: the lists are long.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace warpgrade {

using Json = nlohmann::ordered_json;

struct JsonField {
    const char* name;
    const void* (*member)(const void* of);
    void (*write)(const char* name, const void* own, const void* usual, Json& to);
    void (*read)(const Json& json, void* to);
};

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

Json write(std::span<const JsonField> fields, const void* value, const void* usual);
void read(std::span<const JsonField> fields, const Json& json, void* to);

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
        return write(json_fields(static_cast<T*>(nullptr)), &value, &usual);
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
        read(json_fields(static_cast<T*>(nullptr)), json, &to);
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

namespace json_fields_detail {

template <class T>
void write_member(const char* name, const void* own, const void* usual, Json& to) {
    const auto &value = *static_cast<const T*>(own), &known = *static_cast<const T*>(usual);
    Json member = fields_to_json(value, known);
    if (HasFields<T> ? !member.empty() : member != fields_to_json(known)) to[name] = std::move(member);
}
template <class T>
void read_member(const Json& json, void* to) {
    read_fields(json, *static_cast<T*>(to));
}
template <auto field>
struct Member;
template <class Struct, class T, T Struct::*field>
struct Member<field> {
    using Type = T;
    static const void* of(const void* value) { return &(static_cast<const Struct*>(value)->*field); }
};

}  // namespace json_fields_detail

template <auto field>
constexpr JsonField json_field(const char* name) {
    using namespace json_fields_detail;
    using T = typename Member<field>::Type;
    return {name, Member<field>::of, write_member<T>, read_member<T>};
}

template <class... Field>
constexpr std::array<JsonField, sizeof...(Field)> json_list(const Field&... fields) {
    return {fields...};
}

}  // namespace warpgrade
