// A launcher's signature, read from the text that problem.toml gives.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/make_diagnostic.hpp"
#include "base/near_names.hpp"
#include "problem/description.hpp"

namespace warpgrade {

namespace {

constexpr std::array types{
    NamedType{"unsigned char", "unsigned char", 1, true, false},
    NamedType{"unsigned short", "unsigned short", 2, true, false},
    NamedType{"int", "int", 4, true, true},
    NamedType{"unsigned int", "unsigned int", 4, true, true},
    NamedType{"long long", "long long", 8, true, true},
    NamedType{"unsigned long long", "unsigned long long", 8, true, true},
    NamedType{"std::size_t", "unsigned long", 8, false, true},
    NamedType{"float", "float", 4, true, true},
    NamedType{"double", "double", 8, true, true},
    NamedType{"float4", "float4", 16, true, false},
};

Diagnostic not_a_launcher(std::string fact, std::string help = {}) {
    if (help.empty()) help = "write it as in launcher = \"void scan(const T* in, T* out, int n)\"";
    return make_error(Blame::course, "bad_launcher", "`launcher` is not a signature that the kit can call", {},
                      {std::move(fact)}, std::move(help));
}

// Words and signs, `::` within a word.
std::vector<std::string> tokens_of(std::string_view text) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':'; };
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i < text.size();) {
        if (std::isspace(static_cast<unsigned char>(text[i]))) {
            ++i;
        } else if (is_word(text[i])) {
            const std::size_t first = i;
            while (i < text.size() && is_word(text[i])) ++i;
            tokens.emplace_back(text.substr(first, i - first));
        } else {
            tokens.emplace_back(1, text[i++]);
        }
    }
    return tokens;
}

bool is_name(const std::string& word) {
    return !word.empty() && !std::isdigit(static_cast<unsigned char>(word[0])) && word.find(':') == word.npos &&
           std::ranges::all_of(word, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

Result<LauncherParameter> parse_parameter(std::vector<std::string> words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    LauncherParameter parameter;
    const auto constant = std::ranges::find(words, "const");
    if (constant != words.end()) {
        parameter.is_const = true;
        words.erase(constant);
    }
    if (words.empty() || !is_name(words.back()))
        return not_a_launcher(fmt::format("the parameter `{}` has no name", text));
    parameter.name = words.back();
    words.pop_back();
    if (!words.empty() && words.back() == "*") {
        parameter.is_pointer = true;
        words.pop_back();
    }
    std::string type;
    for (const std::string& word : words) type += (type.empty() ? "" : " ") + word;
    if (type == "T") {
        parameter.type = type;
        if (!parameter.is_pointer)
            return not_a_launcher(fmt::format("`{}` is passed by value and its type is T", parameter.name),
                                  "give it a type of its own: int, float ...");
        return parameter;
    }
    const NamedType* named = type_named(type);
    if (!named || !(parameter.is_pointer ? named->is_element : named->is_scalar)) {
        std::vector<std::string> known{"T"};
        for (const NamedType& each : types)
            if (parameter.is_pointer ? each.is_element : each.is_scalar) known.emplace_back(each.name);
        return not_a_launcher(
            fmt::format("the type of `{}` is `{}`; there are: {}", parameter.name, type, fmt::join(known, ", ")),
            near_or(type, known));
    }
    parameter.type = named->name;
    return parameter;
}

}  // namespace

const NamedType* type_named(std::string_view name) {
    if (name == "unsigned") name = "unsigned int";
    if (name == "size_t") name = "std::size_t";
    if (name == "unsigned long") name = "std::size_t";
    if (name == "uchar" || name == "uint8_t") name = "unsigned char";
    if (name == "ushort" || name == "uint16_t") name = "unsigned short";
    const auto found = std::ranges::find_if(types, [&](const NamedType& type) { return name == type.name; });
    return found == types.end() ? nullptr : &*found;
}

bool LauncherText::uses_type() const {
    return std::ranges::any_of(parameters, [](const LauncherParameter& p) { return p.type == "T"; });
}

Result<LauncherText> parse_launcher(std::string_view text) {
    const std::vector<std::string> tokens = tokens_of(text);
    if (tokens.size() < 5 || tokens[0] != "void" || !is_name(tokens[1]) || tokens[2] != "(" || tokens.back() != ")")
        return not_a_launcher(fmt::format("`{}` is not `void NAME(PARAMETERS)`", text));
    LauncherText launcher;
    launcher.name = tokens[1];
    std::vector<std::string> words;
    for (std::size_t i = 3; i < tokens.size(); ++i) {
        const bool is_end = i + 1 == tokens.size();
        if (!is_end && tokens[i] != ",") {
            words.push_back(tokens[i]);
            continue;
        }
        auto parameter = parse_parameter(std::move(words));
        if (!parameter) return parameter.error();
        for (const LauncherParameter& other : launcher.parameters)
            if (other.name == parameter->name)
                return not_a_launcher(fmt::format("two parameters are called `{}`", other.name));
        launcher.parameters.push_back(std::move(*parameter));
        words.clear();
    }
    return launcher;
}

}  // namespace warpgrade
