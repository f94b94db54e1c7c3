#include "classroom/export_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/characters.hpp"
#include "base/files.hpp"
#include "base/json_members.hpp"

namespace warpgrade::classroom {
namespace {

using Json = nlohmann::ordered_json;

ExportStudent student_of(const Json& json) {
    ExportStudent one;
    one.id = text_in(json, "id");
    one.name = text_in(json, "name");
    one.file = text_in(json, "file");
    one.status = text_in(json, "status");
    one.role = text_in(json, "role");
    one.notes = text_in(json, "notes");
    one.total = number_in(json, "total");
    one.points = number_in(json, "final");
    one.max = number_in(json, "max").value_or(0);
    one.is_on_roster = flag_in(json, "on_roster");
    if (json.contains("hand_ins") && json["hand_ins"].is_array())
        for (const Json& name : json["hand_ins"])
            if (name.is_string()) one.hand_ins.push_back(name.get<std::string>());
    if (json.contains("keys") && json["keys"].is_array())
        for (const Json& key : json["keys"])
            if (key.is_object() && key.contains("kind") && key["kind"].is_number_integer())
                add_key(one.keys, static_cast<Key::Kind>(key["kind"].get<int>()), text_in(key, "text"));
    if (one.keys.empty()) {
        add_key(one.keys, one.id.find('@') == std::string::npos ? Key::Kind::id : Key::Kind::email, one.id);
        add_key(one.keys, Key::Kind::name, one.name.empty() ? one.id : one.name);
    }
    if (!json.contains("stages") || !json["stages"].is_array()) return one;
    for (const Json& stage : json["stages"]) {
        if (!stage.is_object()) continue;
        one.stages.push_back({text_in(stage, "stage"), number_in(stage, "total"), number_in(stage, "max").value_or(0),
                              flag_in(stage, "handed_in"), flag_in(stage, "attempted"), flag_in(stage, "excused"),
                              text_in(stage, "override"), text_in(stage, "sha256")});
    }
    return one;
}

// Ids, addresses and the platform's number; a name is no such thing.
bool share_identity(const std::vector<Key>& one, const std::vector<Key>& other) {
    using Kind = Key::Kind;
    const auto is_identity = [](const Key& key) {
        return key.kind == Kind::id || key.kind == Kind::email || key.kind == Kind::number;
    };
    for (const Key& a : one)
        for (const Key& b : other)
            if (is_identity(a) && is_identity(b) && a.lower == b.lower &&
                (a.kind == Kind::number) == (b.kind == Kind::number))
                return true;
    return false;
}

bool share_name(const std::vector<Key>& one, const std::vector<Key>& other) {
    for (const Key& a : one)
        for (const Key& b : other)
            if (a.kind == Key::Kind::name && b.kind == Key::Kind::name && a.squeezed == b.squeezed) return true;
    return false;
}

}  // namespace

std::vector<const ExportStudent*> ExportMarks::in_course() const {
    std::vector<const ExportStudent*> some;
    for (const ExportStudent& one : students)
        if (one.role.empty()) some.push_back(&one);
    return some;
}

Result<ExportMarks> read_marks(const std::filesystem::path& folder) {
    const auto text = read_whole_file(folder / "marks.json");
    const Json json = text ? Json::parse(*text, nullptr, false) : Json();
    if (!json.is_object() || text_in(json, "schema") != "warpgrade.marks/1" || !json.contains("students"))
        return Diagnostic{.blame = Blame::usage,
                          .code = "no_marks",
                          .title = fmt::format("`{}` holds no marks", folder.string()),
                          .marks = {},
                          .facts = {"`grade` writes them as marks.json, in the folder that its --out names"},
                          .help = "name that folder; for `export`, with --from"};
    ExportMarks marks;
    marks.max = number_in(json, "max").value_or(0);
    for (const Json& student : json["students"])
        if (student.is_object()) marks.students.push_back(student_of(student));
    return marks;
}

std::vector<RowMatch> match_rows(const PlatformTable& file, const Roster& theirs, const ExportMarks& marks) {
    std::vector<RowMatch> matches;
    const auto with_line = [&](int line) -> const Student* {
        for (const Student& one : theirs.students)
            if (one.line == line) return &one;
        return nullptr;
    };
    std::vector<int> uses(marks.students.size());
    for (const std::size_t row : file.students) {
        RowMatch match;
        match.row = row;
        const Student* their = with_line(file.table.rows[row].line);
        std::vector<std::size_t> found;
        for (std::size_t i = 0; their != nullptr && i < marks.students.size(); ++i)
            if (share_identity(their->keys, marks.students[i].keys)) found.push_back(i);
        if (found.empty() && their != nullptr) {
            const auto namesakes = std::count_if(theirs.students.begin(), theirs.students.end(),
                                                 [&](const Student& one) { return share_name(one.keys, their->keys); });
            for (std::size_t i = 0; i < marks.students.size(); ++i)
                if (share_name(their->keys, marks.students[i].keys)) found.push_back(i);
            if (namesakes > 1 && !found.empty()) found.push_back(found.front());
        }
        match.asks = found.size() > 1;
        if (found.size() == 1) {
            match.student = found.front();
            ++uses[found.front()];
        }
        matches.push_back(match);
    }
    // One student's marks in two rows: neither is sure.
    for (RowMatch& match : matches) {
        if (!match.student || uses[*match.student] < 2) continue;
        match.student.reset();
        match.asks = true;
    }
    return matches;
}

std::string points_text(double value) {
    std::string text = fmt::format("{:.2f}", value);
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string comment_for(const ExportStudent& student) {
    std::string text;
    for (const ExportStage& stage : student.stages) {
        text += text.empty() ? "" : ", ";
        text += stage.stage.substr(stage.stage.find('/') + 1) + " ";
        text += stage.is_excused ? "excused"
                : stage.total    ? points_text(*stage.total) + "/" + points_text(stage.max)
                                 : "open";
        if (!stage.override_reason.empty()) text += " (set by a person: " + stage.override_reason + ")";
    }
    if (student.total && student.points && *student.points < *student.total - 0.005)
        text += fmt::format("; late: {} points off", points_text(*student.total - *student.points));
    return escape(text);
}

}  // namespace warpgrade::classroom
