#include "classroom/lms_names.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
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

// Of an anonymous assignment: a few letters and digits for each student, of which no export says whose they are.
bool is_anonymous_id(std::string_view text) {
    constexpr std::size_t most = 12;
    return !text.empty() && text.size() <= most &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80 && std::isalnum(c) != 0; });
}

// The name of a group may have bars in it; then both numbers have to look like Canvas's.
std::size_t place_of_number(const std::vector<std::string>& parts) {
    constexpr std::size_t least_digits = 3;
    const auto is_long = [&](std::size_t at) {
        return at < parts.size() && is_digits(parts[at]) && parts[at].size() >= least_digits;
    };
    for (std::size_t at = 2; at + 2 < parts.size() && !is_digits(parts[1]); ++at)
        if (is_long(at) && is_long(at + 1)) return at;
    return 1;
}

std::optional<LmsName> canvas(const std::string& name) {
    auto parts = split(name, '_');
    // Behind the name, and before or behind "anon".
    const auto late = std::find(parts.begin(), parts.begin() + std::min<std::ptrdiff_t>(std::ssize(parts), 5), "LATE");
    const bool is_late = late != parts.end() && *late == "LATE";
    if (is_late) parts.erase(late);
    if (parts.size() < 3 || parts[0].empty()) return std::nullopt;
    const bool is_anonymous = parts[0] == "anon";
    const std::size_t first = is_anonymous ? 1 : place_of_number(parts);
    if (is_anonymous ? !is_anonymous_id(parts[first]) : !is_digits(parts[first])) return std::nullopt;
    // What was typed into a box, or a link, has no number of a file.
    const bool is_entry = parts.size() == first + 2 && (parts.back() == "text.html" || parts.back() == "link.html");
    if (!is_entry && (parts.size() < first + 3 || !is_digits(parts[first + 1]))) return std::nullopt;
    LmsName result;
    result.platform = Platform::canvas;
    std::string called = parts[0];
    for (std::size_t i = 1; i < first; ++i) called += "_" + parts[i];
    result.person.id = called + "_" + parts[first];
    if (!is_anonymous) add_key(result.person.keys, Key::Kind::whole, called);
    if (is_digits(parts[first]))
        result.person.number = parts[first];
    else
        add_key(result.person.keys, Key::Kind::whole, parts[first]);
    result.is_late = is_late;
    for (std::size_t i = first + (is_entry ? 1 : 2); i < parts.size(); ++i)
        result.rest += (result.rest.empty() ? "" : "_") + parts[i];
    return result;
}

std::optional<LmsName> moodle(const std::string& name) {
    const auto mark = name.find("_assignsubmission_");
    if (mark == std::string::npos) return std::nullopt;
    const std::string person = name.substr(0, mark);
    const auto bar = person.rfind('_');
    if (bar == std::string::npos || bar == 0 || !is_digits(person.substr(bar + 1))) return std::nullopt;
    LmsName result;
    result.platform = Platform::moodle;
    result.person.id = person;
    result.person.name = person.substr(0, bar);
    add_key(result.person.keys, Key::Kind::whole, result.person.name);
    result.person.number = person.substr(bar + 1);
    // Without folders the file's own name follows: "..._assignsubmission_file_hw3.zip".
    const auto kind_end = name.find('_', mark + std::string_view("_assignsubmission_").size());
    if (kind_end != std::string::npos) result.rest = name.substr(kind_end + 1);
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
    result.platform = Platform::brightspace;
    result.time = time_in(std::string_view(name).substr(second));
    // A name may hold " - " itself: the date is the last part, or the one before the file's name.
    auto end = second;
    for (auto next = end; !result.time && next != std::string::npos; next = name.find(" - ", next + 3)) end = next;
    for (auto next = name.find(" - ", end + 3); next != std::string::npos; next = name.find(" - ", next + 3))
        if (!time_in(std::string_view(name).substr(end, next - end)) && time_in(std::string_view(name).substr(next)))
            end = next;
    result.person.name = name.substr(first + 3, end - first - 3);
    result.person.id = result.person.name;
    add_key(result.person.keys, Key::Kind::name, result.person.name);
    result.person.number = numbers[0];
    if (const auto after = name.find(" - ", end + 3); after != std::string::npos) result.rest = name.substr(after + 3);
    return result;
}

std::optional<LmsName> blackboard(const std::string& name) {
    constexpr std::string_view mark = "_attempt_";
    const auto at = name.find(mark);
    if (at == std::string::npos || at == 0) return std::nullopt;
    const auto found = find_time(std::string_view(name).substr(at + mark.size()));
    if (!found || found->begin != 0) return std::nullopt;
    LmsName result;
    result.platform = Platform::blackboard;
    result.time = found->time;
    const std::string before = name.substr(0, at);
    // "HW3_ann_lee": where the assignment's title ends and the user's name begins cannot be told from one name.
    for (auto bar = before.find('_'); bar != std::string::npos; bar = before.find('_', bar + 1))
        add_key(result.person.keys, Key::Kind::id, std::string_view(before).substr(bar + 1));
    if (result.person.keys.empty()) add_key(result.person.keys, Key::Kind::id, before);
    result.person.is_guess = result.person.keys.size() > 1;
    result.person.id = before.substr(before.rfind('_') + 1);
    const std::string after = name.substr(at + mark.size() + found->end);
    result.is_receipt = lower_case(after) == ".txt";
    if (after.starts_with('_')) result.rest = after.substr(1);
    return result;
}

std::optional<LmsName> sakai(const std::string& name) {
    const auto comma = name.find(", "), open = name.rfind('(');
    if (comma == std::string::npos || comma == 0 || open == std::string::npos || open < comma || !name.ends_with(')'))
        return std::nullopt;
    const std::string eid = name.substr(open + 1, name.size() - open - 2);
    if (eid.empty() || eid.find(' ') != std::string::npos) return std::nullopt;
    LmsName result;
    result.platform = Platform::sakai;
    result.person.name = name.substr(0, open);
    while (result.person.name.ends_with(' ')) result.person.name.pop_back();
    result.person.id = eid;
    add_key(result.person.keys, Key::Kind::id, eid);
    add_key(result.person.keys, Key::Kind::name, result.person.name);
    return result;
}

LmsName plain(const std::string& name) {
    LmsName result;
    result.person.id = name;
    add_key(result.person.keys, Key::Kind::whole, name);
    return result;
}

}  // namespace

Key::Key(Kind its_kind, std::string_view as_written)
    : kind(its_kind),
      text(as_written),
      lower(lower_case(decomposed(as_written))),
      squeezed(classroom::squeezed(as_written)) {}

void add_key(std::vector<Key>& keys, Key::Kind kind, std::string_view as_written) {
    Key key(kind, as_written);
    if (!key.squeezed.empty() && std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
}

std::string_view word_for(Platform platform) {
    switch (platform) {
        case Platform::none: return "";
        case Platform::canvas: return "Canvas";
        case Platform::moodle: return "Moodle";
        case Platform::brightspace: return "Brightspace";
        case Platform::blackboard: return "Blackboard";
        case Platform::sakai: return "Sakai";
        case Platform::gradescope: return "Gradescope";
    }
    return "";
}

LmsName parse_lms_name(const std::string& name) {
    for (const auto parse : {moodle, brightspace, blackboard, canvas, sakai})
        if (auto found = parse(name)) return *found;
    return plain(name);
}

}  // namespace warpgrade::classroom
