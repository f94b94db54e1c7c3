#include "classroom/finder.hpp"

#include <fmt/format.h>

#include "base/characters.hpp"
#include "base/near_names.hpp"
#include "classroom/file_stage.hpp"
#include "classroom/plain_names.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {

namespace {

namespace fs = std::filesystem;

// A roster, a platform's tables and metadata.
bool is_table(const std::string& name) {
    const std::string suffix = lower_case(fs::path(name).extension().string());
    return suffix == ".csv" || suffix == ".yml" || suffix == ".json" || suffix == ".xls" || suffix == ".xlsx" ||
           suffix == ".toml" || suffix == ".ods";
}

bool holds_cuda(const Node& node) {
    const auto text = read_node(node);
    return text && is_cuda_text(to_utf8(*text));
}

}  // namespace

std::string stem_of(const Node& node) {
    return node.kind == Node::Kind::archive ? without_archive_suffix(node.name) : node.name;
}

bool Finder::is_stage_file(const Node& node) const {
    if (node.kind != Node::Kind::file || is_hidden(node.name)) return false;
    const FileKind kind = kind_of(node.name);
    return (kind == FileKind::source || kind == FileKind::text) && !read_name(course_, node.name).stages.empty();
}

bool Finder::is_folder_of_work(const std::string& name) const {
    if (name == "assignments") return true;
    const bool is_assignment = std::any_of(course_.begin(), course_.end(), [&](const Assignment& assignment) {
        return squeezed(assignment.name) == squeezed(name);
    });
    return is_assignment || says_nobody(name, course_);
}

bool Finder::is_person(const std::string& stem) const {
    const LmsName name = parse_lms_name(stem);
    if (name.platform != Platform::none) return true;
    if (gradescope_.contains(stem)) return true;
    if (roster_.students.empty()) return false;
    const auto is_on_roster = [&](const std::string& text) {
        const Person called{"", "", {Key(Key::Kind::whole, text)}, "", false};
        return find_student(roster_, called).is_sure() || find_members(roster_, called).is_sure;
    };
    return is_on_roster(stem) || is_on_roster(without_course_words(stem, course_));
}

// Opens folders and, where that has to decide, archives; no deeper than it takes to see a class in a class.
Status Finder::look_at(Node& node, int depth, Look& look) {
    Budget budget = node.kind == Node::Kind::archive ? Budget::of_class() : Budget{};
    if (auto status = open_node(node, scratch_, budget); !status) return status;
    for (const Node& child : node.children)
        if (child.name == "submission_metadata.yml") ++look.people;
    for (Node& child : node.children) {
        if (is_hidden(child.name)) continue;
        const std::string stem = stem_of(child);
        const bool is_file = child.kind == Node::Kind::file;
        if (is_stage_file(child) && parse_lms_name(child.name).platform == Platform::none) {
            const std::string person = without_stage(child.name, course_);
            const bool is_somebodys = !roster_.students.empty() && !person.empty() && is_person(person);
            ++(is_somebodys ? look.loose : look.work);
            look.rests[read_name(course_, child.name).stages.front().stage->name()].insert(squeezed(person));
        } else if (parse_lms_name(stem).platform != Platform::none) {
            ++look.people;
        } else if (is_file) {
            continue;
        } else if (is_person(stem)) {
            ++look.people;
        } else if (is_folder_of_work(stem)) {
            Look inner;
            if (depth < 3)
                if (auto status = look_at(child, depth + 1, inner); !status) return status;
            look.work += inner.work > 0 && !inner.is_class();
            look.people += inner.is_class();
            // Folders of anybody's in it: a class for each week or assignment.
            look.people += !inner.is_class() && inner.work == 0 && inner.plain > 1;
        } else {
            ++look.plain;
            Look inner;
            if (depth == 0 && child.kind == Node::Kind::folder)
                if (auto status = look_at(child, depth + 1, inner); !status) return status;
            look.plain_with_work += inner.work > 0;
            look.people += inner.is_class();  // a class in a folder of its own, as when a folder is packed
        }
    }
    return Nothing{};
}

// One who handed in files that a platform lays beside each other is one hand-in.
void Finder::add_hand_in(Node&& node, const std::string& container, const LmsName& name,
                         const std::vector<Person>* people, std::optional<HandInTime> time) {
    HandIn hand_in;
    hand_in.shown = shown(container, node);
    hand_in.container = container;
    hand_in.platform = people != nullptr ? Platform::gradescope : name.platform;
    hand_in.people = people != nullptr ? *people : std::vector<Person>{name.person};
    hand_in.is_late = name.is_late;
    hand_in.time = time ? time : name.time;
    const std::string part = node.kind == Node::Kind::file ? (name.rest.empty() ? node.name : name.rest) : "";
    const bool is_file = node.kind == Node::Kind::file;
    if (people == nullptr && (name.platform != Platform::none || is_file)) {
        for (HandIn& known : discovery_.hand_ins) {
            if (known.container != container || known.platform != name.platform || known.time != hand_in.time) continue;
            if (known.people.size() != 1 || (name.platform == Platform::none && known.part_names.front().empty()))
                continue;
            const Person &one = known.people.front(), &other = name.person;
            if (one.id != other.id || one.number != other.number || one.name != other.name) continue;
            known.parts.push_back(std::move(node));
            known.part_names.push_back(part);
            known.is_late = known.is_late || name.is_late;
            return;
        }
    }
    hand_in.parts.push_back(std::move(node));
    hand_in.part_names.push_back(part);
    discovery_.hand_ins.push_back(std::move(hand_in));
}

// In a class's folder, and not in anybody's.
void Finder::add_loose_file(Node&& node, const std::string& container) {
    const LmsName name = parse_lms_name(node.name);
    if (name.platform != Platform::none) {
        if (!name.is_receipt) add_hand_in(std::move(node), container, name);
        return;
    }
    const std::string where = escape(shown(container, node));
    const bool is_stage = is_stage_file(node);
    const FileKind kind = kind_of(node.name);
    // "annlee_4_padding.cu": the rest says whose it is.
    const std::string person = without_stage(node.name, course_);
    if (kind == FileKind::source && !person.empty() && !says_nobody(person, course_)) {
        LmsName parsed = parse_lms_name(person);
        parsed.rest = node.name;
        add_hand_in(std::move(node), container, parsed);
    } else if (const std::string stem = fs::path(node.name).stem().string();
               !is_stage && !is_table(node.name) && is_person(stem)) {
        // "annlee.pdf": whatever it is, it is from somebody, who is not missing.
        LmsName parsed = parse_lms_name(stem);
        parsed.rest = node.name;
        add_hand_in(std::move(node), container, parsed);
    } else if (is_stage || kind == FileKind::source || (kind == FileKind::text && holds_cuda(node))) {
        HandIn stray;
        stray.shown = shown(container, node);
        stray.container = container;
        stray.part_names = {node.name};
        stray.parts.push_back(std::move(node));
        discovery_.strays.push_back(std::move(stray));
    } else if (!is_table(node.name)) {
        discovery_.notes.push_back(fmt::format("`{}` was left out: it is no hand-in", where));
    }
}

void Finder::read_metadata(const Node& node) {
    const auto text = read_node(node);
    if (!text) return;
    for (GradescopeFolder& folder : parse_gradescope_metadata(utf8_name(*text)))
        gradescope_[folder.folder] = std::move(folder);
}

// "Name: Ann Lee (annlee)": whose attempt it is, by the platform itself.
void Finder::read_receipt(const Node& node, const std::string& container) {
    const auto text = read_node(node);
    if (!text) return;
    const std::string utf8 = to_utf8(*text);
    const auto line = utf8.find("Name: ");
    const auto end = utf8.find_first_of("\r\n", line == std::string::npos ? 0 : line);
    if (line == std::string::npos) return;
    const std::string who = utf8.substr(line + 6, end == std::string::npos ? end : end - line - 6);
    const auto open = who.rfind('('), close = who.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close < open) return;
    Person person;
    person.id = who.substr(open + 1, close - open - 1);
    person.name = who.substr(0, open);
    while (person.name.ends_with(' ')) person.name.pop_back();
    add_key(person.keys, Key::Kind::id, person.id);
    add_key(person.keys, Key::Kind::name, person.name);
    receipts_[container + "/" + node.name.substr(0, node.name.size() - 4)] = std::move(person);
}

// What was typed where files are handed in: an attempt, also where there is no file with it.
void Finder::add_receipt(const Node& receipt, const std::string& container, const LmsName& name) {
    const auto bytes = read_node(receipt);
    const std::string text = bytes ? to_utf8(*bytes) : "";
    constexpr std::string_view begin_mark = "Submission Field:", end_mark = "\nComments:",
                               nothing = "There is no student submission text data for this assignment.";
    const auto begin = text.find(begin_mark), end = text.rfind(end_mark);
    LmsName part = name;
    part.rest = begin == std::string::npos ? whole_receipt : "submission field.txt";
    Node node;
    node.kind = Node::Kind::file;
    node.name = node.bytes_name = receipt.name;
    node.is_on_disk = false;
    node.bytes = text;
    if (begin != std::string::npos) {
        const auto typed = begin + begin_mark.size();
        node.bytes = text.substr(typed, end == std::string::npos || end < typed ? end : end - typed);
    }
    const bool is_empty =
        node.bytes.find_first_not_of(" \t\r\n") == std::string::npos || node.bytes.find(nothing) != std::string::npos;
    const bool has_files = std::any_of(discovery_.hand_ins.begin(), discovery_.hand_ins.end(), [&](const HandIn& one) {
        return one.container == container && one.platform == Platform::blackboard && one.time == name.time &&
               one.people.front().id == name.person.id;
    });
    if (!is_empty || !has_files) add_hand_in(std::move(node), container, part);
}

Status Finder::add_entry(Node& child, const std::string& container, int depth) {
    const std::string stem = stem_of(child);
    if (child.name.starts_with('.')) {
        // Not in silence: it may be somebody.
        const bool may_be = child.kind != Node::Kind::file || kind_of(child.name) == FileKind::source;
        if (may_be && !is_litter(child.name) && is_person(stem.substr(1)))
            discovery_.questions.push_back(fmt::format(
                "`{}` is hidden, by its name, and was left out: it is called as somebody is", shown(container, child)));
        else if (may_be && child.name != ".store")
            discovery_.notes.push_back(
                fmt::format("`{}` was left out: its name begins with a dot", shown(container, child)));
        return Nothing{};
    }
    const auto group = gradescope_.find(child.name);
    if (child.kind != Node::Kind::file && group != gradescope_.end() && !group->second.people.empty()) {
        add_hand_in(std::move(child), container, LmsName{}, &group->second.people, group->second.time);
        return Nothing{};
    }
    if (child.kind == Node::Kind::file) {
        add_loose_file(std::move(child), container);
        return Nothing{};
    }
    if (child.kind == Node::Kind::folder) {
        Budget budget;
        if (auto status = open_node(child, scratch_, budget); !status) return status;
        if (!child.problem.empty() && child.problem.starts_with("an earlier")) {
            discovery_.notes.push_back(fmt::format("`{}` was left out: {}", shown(container, child), child.problem));
            return Nothing{};
        }
    }
    LmsName name = parse_lms_name(stem);
    if (name.platform != Platform::none || is_person(stem)) {
        add_hand_in(std::move(child), container, name);
        return Nothing{};
    }
    Look look;
    if (depth < 4)
        if (auto status = look_at(child, 0, look); !status) return status;
    const bool says_no_person = says_nobody(stem, course_) || is_folder_of_work(stem);
    const bool is_class_of_anybody = says_no_person && look.work == 0 && look.plain > 1;
    if (look.is_class() || is_class_of_anybody) return add_class(child, shown(container, child), depth + 1);
    if (says_no_person) name.person.keys.clear();
    add_hand_in(std::move(child), container, name);
    return Nothing{};
}

Status Finder::add_class(Node& node, const std::string& container, int depth) {
    Budget budget = Budget::of_class();
    if (auto status = open_node(node, scratch_, budget); !status) return status;
    const auto outer = std::exchange(gradescope_, {});
    // A link or a pipe where a hand-in should be: it may be somebody's, and is not looked into.
    for (const std::string& note : node.notes)
        if (note.find(": it is a symbolic link") != std::string::npos ||
            note.find(": it is not a file") != std::string::npos)
            discovery_.questions.push_back(note);
    if (!node.problem.empty())
        discovery_.questions.push_back(
            fmt::format("`{}` cannot be read: {}", escape(container.empty() ? node.name : container), node.problem));
    for (const Node& child : node.children) {
        if (child.name == "submission_metadata.yml") read_metadata(child);
        const LmsName name = parse_lms_name(child.name);
        if (child.kind == Node::Kind::file && name.is_receipt) read_receipt(child, container);
    }
    const std::size_t first = discovery_.hand_ins.size();
    for (Node& child : node.children)
        if (auto status = add_entry(child, container, depth); !status) return status;
    for (const Node& child : node.children)
        if (const LmsName name = parse_lms_name(child.name); child.kind == Node::Kind::file && name.is_receipt)
            add_receipt(child, container, name);
    // A receipt says for sure whose the attempt is.
    for (std::size_t i = first; i < discovery_.hand_ins.size(); ++i) {
        HandIn& hand_in = discovery_.hand_ins[i];
        if (hand_in.platform != Platform::blackboard) continue;
        for (const auto& [attempt, person] : receipts_)
            if ((hand_in.container + "/" + hand_in.parts.front().name).starts_with(attempt)) hand_in.people = {person};
    }
    settle_titles(discovery_.hand_ins, first, container);
    settle_teams(discovery_.hand_ins, first, container);
    settle_prefixes(discovery_.hand_ins, first, container, course_);
    gradescope_ = outer;
    return Nothing{};
}

}  // namespace warpgrade::classroom
