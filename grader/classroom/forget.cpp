#include "classroom/forget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "classroom/csv.hpp"
#include "classroom/identities.hpp"
#include "classroom/ledger.hpp"
#include "classroom/ledger_merge.hpp"
#include "classroom/student_ids.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Not as a part of a digest, a number or a longer name.
bool stands_alone(const std::string& text, const std::string& word) {
    const bool is_number = word[0] >= '0' && word[0] <= '9';
    const auto goes_on = [&](std::size_t i) {
        return i < text.size() && (is_word(text[i]) || (is_number && text[i] == '.'));
    };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        if (!(at > 0 && goes_on(at - 1)) && !goes_on(at + word.size())) return true;
    return false;
}

class Forgetter {
public:
    Forgetter(fs::path folder, const LedgerStudent& student, const Ledger& ledger, std::optional<Identities> identities)
        : folder_(std::move(folder)),
          student_(student),
          ledger_(ledger),
          file_(file_name_for(student.student.id)),
          identities_(std::move(identities)) {
        words_ = {student.student.id};
        if (student.student.name.size() > 3) words_.push_back(student.student.name);
        if (!student.student.email.empty()) words_.push_back(student.student.email);
        if (const auto roster = roster_of(ledger))
            for (const Student& one : roster->students)
                if (one.id == student.student.id) add_ids(one);
        for (const auto& [name, time] : student.hand_ins) hand_ins_.insert(safe_cell(name));
        for (const auto& [stage, file] : student.files) hand_ins_.insert(safe_cell(file.hand_in));
        const Identity* identity = identities_ ? identities_->of_pseudonym(student.student.id) : nullptr;
        if (identity == nullptr) return;
        words_.push_back(identity->student.id);
        add_ids(identity->student);
        if (identity->student.name.size() > 3) words_.push_back(identity->student.name);
        if (!identity->student.email.empty()) words_.push_back(identity->student.email);
        for (const std::string& name : identity->hand_ins) hand_ins_.insert(safe_cell(name));
    }

    Result<Forgotten> run() {
        remove_store();
        for (const fs::path& path :
             {folder_ / "results" / (file_ + ".json"), folder_ / "gradescope" / (file_ + ".json"),
              folder_ / "reports" / file_, folder_ / "handed-in" / file_, folder_ / graded_store / "reports" / file_,
              folder_ / "class.html", folder_ / "class.pdf", folder_ / graded_store / "class-report",
              folder_ / graded_store / "slurm", folder_ / "export"})
            remove(path);
        for (const char* name :
             {"gradebook.csv", "map.csv", ".store/map.csv", ".store/decisions.csv", "overrides.csv", "extensions.csv"})
            if (auto status = rewrite_table(folder_ / name); !status) return status.error();
        for (const char* name : {"class.json", "marks.json"})
            if (auto status = rewrite_json(folder_ / name); !status) return status.error();
        if (auto status = rewrite_ledger(); !status) return status.error();
        if (auto status = rewrite_identities(); !status) return status.error();
        look_for_rest();
        return std::move(forgotten_);
    }

private:
    std::string shown(const fs::path& path) const { return path.lexically_relative(folder_).string(); }

    void remove(const fs::path& path) {
        std::error_code error;
        if (fs::remove_all(path, error) > 0 && !error) forgotten_.removed.push_back(shown(path));
    }

    // By digest: what nobody else handed in alike. A graded stage holds its source.
    void remove_store() {
        std::set<std::string> of_others;
        for (const auto& [id, other] : ledger_.students)
            if (id != student_.student.id)
                for (const auto& [stage, file] : other.files) of_others.insert(file.sha256);
        std::set<std::string> own;
        const auto text = read_whole_file(folder_ / ledger_file);
        for (std::size_t begin = 0; text && begin < text->size();) {
            const auto end = std::min(text->find('\n', begin), text->size());
            const Json line = Json::parse(text->substr(begin, end - begin), nullptr, false);
            begin = end + 1;
            if (line.is_object() && line.value("kind", "") == "file" &&
                line.value("student", "") == student_.student.id)
                own.insert(line.value("sha256", ""));
        }
        own.erase("");
        std::erase_if(own, [&](const std::string& digest) { return of_others.contains(digest); });
        for (const std::string& digest : own) remove(folder_ / graded_store / "kept" / (digest + ".cu"));
        std::error_code error;
        std::vector<fs::path> graded;
        for (fs::directory_iterator at(folder_ / graded_store, error), end; !error && at != end; at.increment(error)) {
            if (at->path().extension() != ".json") continue;
            const auto entry = read_whole_file(at->path(), 256ull << 20);
            const auto line = entry ? entry->find('\n') : std::string::npos;
            const Json stage =
                line == std::string::npos ? Json() : Json::parse(entry->substr(line + 1), nullptr, false);
            if (stage.is_object() && own.contains(stage.value("sha256", ""))) graded.push_back(at->path());
        }
        for (const fs::path& path : graded) remove(path);
    }

    // By which a table that a person wrote may call the student.
    void add_ids(const Student& student) {
        for (const Key& key : student.keys)
            if (key.kind != Key::Kind::group && key.kind != Key::Kind::mailbox) ids_.insert(key.text);
    }

    bool is_own(const CsvRow& row) const {
        return std::any_of(row.begin(), row.end(), [&](const std::string& cell) {
            return std::find(words_.begin(), words_.end(), cell) != words_.end() || ids_.contains(cell) ||
                   cell == safe_cell(student_.student.id) || hand_ins_.contains(cell);
        });
    }

    Status rewrite_table(const fs::path& path) {
        const auto text = read_whole_file(path);
        const auto table = text ? parse_csv(*text, path.string()) : Result<CsvTable>(CsvTable{});
        if (!text || !table || table->rows.empty()) return Nothing{};
        std::string left;
        std::size_t gone = 0;
        for (std::size_t i = 0; i < table->rows.size(); ++i) {
            const bool is_gone = i > 0 && is_own(table->rows[i]);
            gone += is_gone;
            if (!is_gone) left += csv_line(table->rows[i]);
        }
        return gone == 0 ? Status(Nothing{}) : replace(path, left);
    }

    Status rewrite_json(const fs::path& path) {
        const auto text = read_whole_file(path);
        Json json = text ? Json::parse(*text, nullptr, false) : Json();
        if (!json.is_object() || !json.contains("students") || !json["students"].is_array()) return Nothing{};
        Json left = Json::array();
        for (const Json& one : json["students"])
            if (one.value("id", "") != student_.student.id) left.push_back(one);
        if (left.size() == json["students"].size()) return Nothing{};
        json["students"] = std::move(left);
        forget_alike(json);
        return replace(path, json_text(json, 1) + "\n");
    }

    // Groups of files that are alike; a group of one is none.
    void forget_alike(Json& json) const {
        if (!json.contains("alike") || !json["alike"].is_array()) return;
        Json groups = Json::array();
        for (Json group : json["alike"]) {
            Json students = Json::array();
            for (const Json& one : group["students"])
                if (one != student_.student.id) students.push_back(one);
            group["students"] = students;
            if (students.size() > 1) groups.push_back(std::move(group));
        }
        json["alike"] = std::move(groups);
    }

    // The one exception from a book that only grows; that it was made stays in it, and of whom does not.
    Status rewrite_ledger() {
        const fs::path path = folder_ / ledger_file;
        const auto text = read_whole_file(path);
        if (!text) return text.error();
        std::string left;
        std::size_t gone = 0;
        for (std::size_t begin = 0; begin < text->size();) {
            const auto end = std::min(text->find('\n', begin), text->size());
            const std::string line = text->substr(begin, end - begin);
            begin = end + 1;
            const Json json = Json::parse(line, nullptr, false);
            const bool is_own = json.is_object() && json.value("student", "") == student_.student.id;
            gone += is_own;
            if (!is_own && !line.empty()) left += line + "\n";
        }
        left += json_text(Json{{"kind", "forgotten"}, {"lines", gone}}) + "\n";
        return replace(path, left);
    }

    Status rewrite_identities() {
        if (!identities_) return Nothing{};
        std::erase_if(identities_->all, [&](const Identity& one) { return one.pseudonym == student_.student.id; });
        identities_->said.clear();  // sentences that may name anybody; the next run writes them again
        forgotten_.changed.push_back(identities_file);
        return write_identities(folder_, *identities_);
    }

    Status replace(const fs::path& path, const std::string& bytes) {
        forgotten_.changed.push_back(shown(path));
        return replace_file(path, bytes);
    }

    void look_for_rest() {
        std::error_code error;
        for (fs::recursive_directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
            if (!at->is_regular_file(error)) continue;
            const auto text = read_whole_file(at->path(), 256ull << 20);
            const bool is_named = at->path().string().find("/" + file_) != std::string::npos;
            const bool holds = text && std::any_of(words_.begin(), words_.end(), [&](const std::string& word) {
                                   return word.size() > 3 && stands_alone(*text, word);
                               });
            if (is_named || holds) forgotten_.left.push_back(shown(at->path()));
        }
    }

    const fs::path folder_;
    const LedgerStudent& student_;
    const Ledger& ledger_;
    const std::string file_;
    std::optional<Identities> identities_;
    std::vector<std::string> words_;
    std::set<std::string> hand_ins_, ids_;
    Forgotten forgotten_;
};

}  // namespace

Result<Forgotten> forget_student(const fs::path& folder, const std::string& id) {
    const auto read = read_ledger(folder);
    if (!read) return read.error();
    auto identities = read_identities(folder);
    if (!identities) return identities.error();
    const auto meant = id_in_book(folder, read->ledger, id);
    if (!meant) return meant.error();
    return Forgetter(folder, read->ledger.students.at(*meant), read->ledger, std::move(*identities)).run();
}

}  // namespace warpgrade::classroom
