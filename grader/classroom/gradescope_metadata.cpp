// submission_metadata.yml, as Gradescope writes it, and as the common YAML and JSON writers would write the same.
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/text.hpp"
#include "classroom/lms_names.hpp"

namespace warpgrade::classroom {
namespace {

struct Line {
    std::size_t indent = 0;
    bool is_item = false;  // "- " in front
    std::string key, value;
};

void append_point(std::string& out, unsigned long point) {
    const auto add = [&](unsigned long byte) { out += static_cast<char>(byte); };
    if (point < 0x80) {
        add(point);
    } else if (point < 0x800) {
        add(0xC0 | point >> 6);
        add(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        add(0xE0 | point >> 12);
        add(0x80 | (point >> 6 & 0x3F));
        add(0x80 | (point & 0x3F));
    } else {
        add(0xF0 | point >> 18);
        add(0x80 | (point >> 12 & 0x3F));
        add(0x80 | (point >> 6 & 0x3F));
        add(0x80 | (point & 0x3F));
    }
}

// The scalar that begins the text, and where it ends: plain up to `ends`, or quoted with YAML's escapes.
std::string scalar(const std::string& text, std::size_t& at, std::string_view ends) {
    std::string out;
    if (at < text.size() && text[at] == '\'') {
        for (++at; at < text.size(); ++at) {
            if (text[at] == '\'' && (at + 1 == text.size() || text[at + 1] != '\'')) break;
            at += text[at] == '\'';
            out += text[at];
        }
        at += at < text.size();
        return out;
    }
    if (at < text.size() && text[at] == '"') {
        for (++at; at < text.size() && text[at] != '"'; ++at) {
            if (text[at] != '\\' || at + 1 == text.size()) {
                out += text[at];
                continue;
            }
            const char kind = text[++at];
            const std::size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
            if (digits == 0) {
                out += kind == 'n' || kind == 't' ? ' ' : kind;
                continue;
            }
            append_point(out, std::strtoul(text.substr(at + 1, digits).c_str(), nullptr, 16));
            at += digits;
        }
        at += at < text.size();
        return out;
    }
    const auto end = std::min(ends.empty() ? std::string::npos : text.find(ends, at + 1), text.size());
    out = text.substr(at, end - at);
    at = end;
    return out;
}

Line line_of(const std::string& text) {
    Line line;
    line.indent = std::min(text.find_first_not_of(' '), text.size());
    std::string rest(trimmed(text));
    if (rest.starts_with("- ") || rest == "-") {
        line.is_item = true;
        rest = trimmed(std::string_view(rest).substr(1));
    }
    std::size_t at = 0;
    line.key = scalar(rest, at, ": ");
    if (at >= rest.size()) {
        if (line.key.ends_with(':') && line.key.size() > 1)
            line.key.pop_back();
        else
            line.key.clear();
    } else if (rest[at] != ':') {
        line.key.clear();
    } else {
        std::string value(trimmed(rest.substr(at + 1)));
        std::size_t begin = 0;
        line.value = scalar(value, begin, "");
    }
    return line;
}

// Symbols of Ruby begin with a colon.
std::string without_colon(const std::string& key) { return key.starts_with(':') ? key.substr(1) : key; }

void add_to(Person& person, const std::string& key, const std::string& value) {
    if (key == "name") {
        person.name = value;
        add_key(person.keys, Key::Kind::name, value);
    } else if (key == "sid") {
        if (!value.empty()) person.id = value;
        add_key(person.keys, Key::Kind::id, value);
    } else if (key == "email") {
        if (person.id.empty()) person.id = value;
        add_key(person.keys, Key::Kind::email, value);
    }
}

std::string scalar_text(const nlohmann::ordered_json& json) {
    return json.is_string()           ? json.get<std::string>()
           : json.is_number_integer() ? std::to_string(json.get<std::int64_t>())
                                      : "";
}

std::vector<GradescopeFolder> from_json(const nlohmann::ordered_json& json) {
    std::vector<GradescopeFolder> folders;
    for (const auto& [name, its] : json.items()) {
        GradescopeFolder folder{name, {}, {}};
        if (!its.is_object()) continue;
        for (const auto& [symbol, value] : its.items()) {
            const std::string key = without_colon(symbol);
            if (key == "created_at") folder.time = time_in(scalar_text(value));
            if (key != "submitters" || !value.is_array()) continue;
            for (const auto& one : value) {
                folder.people.emplace_back();
                if (!one.is_object()) continue;
                for (const auto& [part, cell] : one.items())
                    add_to(folder.people.back(), without_colon(part), scalar_text(cell));
            }
        }
        folders.push_back(std::move(folder));
    }
    return folders;
}

std::vector<GradescopeFolder> from_lines(const std::string& text) {
    std::vector<GradescopeFolder> folders;
    std::istringstream lines(text);
    std::string section;
    std::size_t level = 0;  // of the sections of a folder; 0: none met yet
    for (std::string whole; std::getline(lines, whole);) {
        const std::string_view plain = trimmed(whole);
        if (plain.empty() || plain[0] == '#' || plain == "---") continue;
        const Line line = line_of(whole);
        if (line.indent == 0 && !line.is_item) {
            if (!line.key.empty()) folders.push_back({line.key, {}, {}});
            section.clear();
            level = 0;
            continue;
        }
        if (folders.empty()) continue;
        GradescopeFolder& folder = folders.back();
        if (level == 0) level = line.indent;
        const std::string key = without_colon(line.key);
        if (line.indent == level && !line.is_item) {
            section = key;
            if (section == "created_at") folder.time = time_in(line.value);
        } else if (section == "submitters") {
            if (line.is_item) folder.people.emplace_back();
            if (!folder.people.empty()) add_to(folder.people.back(), key, line.value);
        }
    }
    return folders;
}

}  // namespace

std::vector<GradescopeFolder> parse_gradescope_metadata(const std::string& text) {
    const auto begin = text.find_first_not_of("- \r\n");
    const bool is_json = begin != std::string::npos && text[begin] == '{';
    const auto json =
        is_json ? nlohmann::ordered_json::parse(text.substr(begin), nullptr, false) : nlohmann::ordered_json();
    std::vector<GradescopeFolder> folders = json.is_object() ? from_json(json) : from_lines(text);
    for (GradescopeFolder& folder : folders)
        for (Person& person : folder.people)
            if (person.id.empty()) person.id = person.name;
    return folders;
}

}  // namespace warpgrade::classroom
