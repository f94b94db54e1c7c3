#include "classroom/lms_names.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>

#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

bool is_digits(std::string_view text) {
    return !text.empty() && text.size() < 19 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
    return parts;
}

std::optional<LmsName> canvas(const std::string& name) {
    const auto parts = split(name, '_');
    if (parts.size() < 4) return std::nullopt;
    const bool is_late = parts[1] == "LATE";
    const std::size_t first = is_late ? 2 : 1;
    if (parts.size() < first + 3 || !is_digits(parts[first]) || !is_digits(parts[first + 1])) return std::nullopt;
    LmsName result;
    result.person.id = parts[0] + "_" + parts[first];
    add_key(result.person.keys, parts[0]);
    result.person.number = parts[first];
    result.is_late = is_late;
    result.order = std::strtoull(parts[first + 1].c_str(), nullptr, 10);
    for (std::size_t i = first + 2; i < parts.size(); ++i) result.rest += (i == first + 2 ? "" : "_") + parts[i];
    return result;
}

std::optional<LmsName> moodle(const std::string& name) {
    const auto mark = name.find("_assignsubmission_");
    if (mark == std::string::npos) return std::nullopt;
    const std::string person = name.substr(0, mark);
    const auto bar = person.rfind('_');
    if (bar == std::string::npos || !is_digits(person.substr(bar + 1))) return std::nullopt;
    LmsName result;
    result.person.id = person;
    result.person.name = person.substr(0, bar);
    add_key(result.person.keys, "Participant " + person.substr(bar + 1));  // the worksheet's Identifier
    add_key(result.person.keys, result.person.name);
    result.person.number = person.substr(bar + 1);
    return result;
}

std::optional<LmsName> brightspace(const std::string& name) {
    const auto first = name.find(" - ");
    if (first == std::string::npos) return std::nullopt;
    const auto second = name.find(" - ", first + 3);
    const auto numbers = split(name.substr(0, first), '-');
    if (second == std::string::npos || numbers.size() != 2 || !is_digits(numbers[0]) || !is_digits(numbers[1]))
        return std::nullopt;
    LmsName result;
    result.person.name = name.substr(first + 3, second - first - 3);
    result.person.id = result.person.name;
    add_key(result.person.keys, result.person.name);
    result.person.number = numbers[0];
    result.order = std::strtoull(numbers[1].c_str(), nullptr, 10);
    return result;
}

// The whole, then its last words (GitHub's user names may hold dashes), then each word and each two neighbours.
LmsName plain(const std::string& name) {
    LmsName result;
    result.person.id = name;
    auto& keys = result.person.keys;
    add_key(keys, name);
    for (std::size_t at = name.find('-'); at != std::string::npos; at = name.find('-', at + 1))
        add_key(keys, std::string_view(name).substr(at + 1));
    std::string words = name;
    for (char& c : words)
        if (std::string_view(" _-,;()[]+#").find(c) != std::string_view::npos) c = '\n';
    std::vector<std::string> parts = split(words, '\n');
    parts.erase(std::remove(parts.begin(), parts.end(), ""), parts.end());
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) add_key(keys, Key::joined(parts[i] + parts[i + 1]));
    for (const std::string& part : parts)
        if (part.size() >= (is_digits(part) ? 5u : 3u)) add_key(keys, part);
    return result;
}

// `  :name: "Ann O'Brien"` -> Ann O'Brien, where the line has that key.
std::optional<std::string> yaml_value(const std::string& line, std::string_view key) {
    const auto at = line.find(key);
    if (at == std::string::npos || line.find_first_not_of(" -") != at) return std::nullopt;
    std::string value = line.substr(at + key.size());
    value.erase(0, std::min(value.find_first_not_of(' '), value.size()));
    const auto last = value.find_last_not_of(" \r");
    value.erase(last == std::string::npos ? 0 : last + 1);
    if (value.size() >= 2 && (value.front() == '\'' || value.front() == '"') && value.back() == value.front())
        value = value.substr(1, value.size() - 2);
    for (std::size_t i = 0; (i = value.find("''", i)) != std::string::npos; ++i) value.erase(i, 1);
    return value;
}

}  // namespace

Key::Key(std::string_view as_written)
    : text(as_written), lower(lower_case(as_written)), squeezed(classroom::squeezed(as_written)) {}

Key Key::joined(std::string_view parts) {
    Key key(parts);
    key.text.clear();
    key.lower.clear();
    return key;
}

void add_key(std::vector<Key>& keys, Key key) {
    if (!key.squeezed.empty() && std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
}

LmsName parse_lms_name(const std::string& name) {
    for (const auto parse : {canvas, moodle, brightspace})
        if (auto found = parse(name)) return *found;
    return plain(name);
}

std::vector<GradescopeFolder> parse_gradescope_metadata(const std::string& text) {
    std::vector<GradescopeFolder> folders;
    std::istringstream lines(text);
    std::string line, section;
    while (std::getline(lines, line)) {
        const bool is_top = !line.empty() && line[0] != ' ' && line[0] != '-' && line[0] != '#';
        const auto colon = line.find_last_of(':');
        if (is_top && colon != std::string::npos) {
            std::string name = line.substr(0, colon);
            if (name.size() >= 2 && (name.front() == '"' || name.front() == '\''))
                name = name.substr(1, name.size() - 2);
            folders.push_back({name, {}});
            section.clear();
            continue;
        }
        if (folders.empty()) continue;
        if (line.starts_with("  :") && line.size() > 3) section = line.substr(2, line.find(':', 3) - 2);
        if (section != ":submitters") continue;
        auto& people = folders.back().people;
        if (line.find_first_not_of(' ') != std::string::npos && line[line.find_first_not_of(' ')] == '-')
            people.push_back({});
        if (people.empty()) continue;
        Person& person = people.back();
        const auto name = yaml_value(line, ":name:"), sid = yaml_value(line, ":sid:"),
                   email = yaml_value(line, ":email:");
        if (name) person.name = *name;
        if (sid && !sid->empty()) person.id = *sid;
        if (email && person.id.empty()) person.id = *email;
        for (const auto& value : {sid, email, name})
            if (value) add_key(person.keys, *value);
    }
    for (GradescopeFolder& folder : folders)
        for (Person& person : folder.people)
            if (person.id.empty()) person.id = person.name;
    return folders;
}

}  // namespace warpgrade::classroom
