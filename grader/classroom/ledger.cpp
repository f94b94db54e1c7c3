#include "classroom/ledger.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>

#include "base/contained_open.hpp"
#include "base/files.hpp"
#include "base/json_members.hpp"
#include "base/json_text.hpp"
#include "base/sha256.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Diagnostic cannot_write(const fs::path& path, const std::string& why) {
    return {.blame = Blame::host,
            .code = "cannot_write",
            .title = "cannot write `" + path.string() + "`",
            .marks = {},
            .facts = {why},
            .help = "check the folder's permissions and the free space of its disk"};
}

fs::path evidence_path(const fs::path& folder, const std::string& sha256) {
    return folder / graded_store / "kept" / (sha256 + ".cu");
}

std::vector<std::string> texts_in(const Json& json, const char* key) {
    std::vector<std::string> texts;
    if (json.contains(key) && json[key].is_array())
        for (const Json& one : json[key])
            if (one.is_string()) texts.push_back(one.get<std::string>());
    return texts;
}

LedgerStudent& student_in(Ledger& ledger, const std::string& id) {
    const auto [place, is_new] = ledger.students.try_emplace(id);
    if (is_new) {
        place->second.student.id = id;
        ledger.order.push_back(id);
    }
    return place->second;
}

void take_student(Ledger& ledger, const Json& line) {
    LedgerStudent& one = student_in(ledger, text_in(line, "student"));
    one.student.name = text_in(line, "name");
    one.student.email = text_in(line, "email");
    one.is_on_roster = line.value("on_roster", false);
    one.student.cells = texts_in(line, "cells");
    one.notes = texts_in(line, "notes");
    one.questions = texts_in(line, "questions");
    one.problem = text_in(line, "problem");
    one.doubt = text_in(line, "doubt");
    one.is_late = line.value("late", false);
    one.hand_ins.clear();
    if (line.contains("hand_ins") && line["hand_ins"].is_array())
        for (const Json& its : line["hand_ins"])
            if (its.is_object()) one.hand_ins.emplace_back(text_in(its, "name"), time_in(text_in(its, "time")));
    one.unclear.clear();
    if (line.contains("unclear") && line["unclear"].is_object())
        for (const auto& [stage, why] : line["unclear"].items())
            if (why.is_string()) one.unclear[stage] = why.get<std::string>();
}

void take_file(Ledger& ledger, const Json& line) {
    TakenFile file;
    file.sha256 = text_in(line, "sha256");
    file.hand_in = text_in(line, "hand_in");
    file.file = text_in(line, "file");
    if (const std::string time = text_in(line, "handed_in"); !time.empty()) file.time = time_in(time);
    file.is_late = line.value("late", false);
    if (line.contains("late_seconds") && line["late_seconds"].is_number_integer())
        file.late_seconds = line["late_seconds"].get<std::int64_t>();
    auto& files = student_in(ledger, text_in(line, "student")).files;
    if (file.sha256.empty())
        files.erase(text_in(line, "stage"));
    else
        files[text_in(line, "stage")] = std::move(file);
}

std::uint64_t take_seed(Ledger& ledger, const Json& line) {
    if (!line.contains("seed") || !line["seed"].is_number_unsigned()) return 0;
    ledger.seed = line["seed"].get<std::uint64_t>();
    return *ledger.seed;
}

void take_mark(Ledger& ledger, const Json& line) {
    GivenMark mark;
    mark.correctness = number_in(line, "correctness").value_or(0);
    mark.technique = number_in(line, "technique").value_or(0);
    mark.performance = number_in(line, "performance").value_or(0);
    mark.total = number_in(line, "total").value_or(0);
    mark.max = number_in(line, "max").value_or(0);
    mark.state = text_in(line, "state");
    mark.sha256 = text_in(line, "sha256");
    mark.seed = take_seed(ledger, line);
    student_in(ledger, text_in(line, "student")).marks[text_in(line, "stage")] = std::move(mark);
}

void take_course(Ledger& ledger, const Json& line) {
    if (const std::string course = text_in(line, "course"); !course.empty()) ledger.course = course;
    for (const std::string& stage : texts_in(line, "stages")) ledger.stages.insert(stage);
    if (line.contains("columns")) ledger.columns = texts_in(line, "columns");
    take_seed(ledger, line);
}

bool take_line(Ledger& ledger, std::string_view text) {
    const Json line = Json::parse(text, nullptr, false);
    if (line.is_discarded() || !line.is_object()) return false;
    const std::string kind = text_in(line, "kind");
    if (kind == "course") {
        take_course(ledger, line);
    } else if (kind == "student") {
        take_student(ledger, line);
    } else if (kind == "file") {
        take_file(ledger, line);
    } else if (kind == "mark") {
        take_mark(ledger, line);
    } else if (kind == "gone") {  // somebody else's now, or forgotten
        const std::string id = text_in(line, "student");
        ledger.students.erase(id);
        std::erase(ledger.order, id);
    }
    return true;
}

bool write_all_of(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = write(fd, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

}  // namespace

bool GivenMark::is_alike(const GivenMark& other) const {
    constexpr double least = 0.00501;  // what a gradebook shows
    return std::abs(correctness - other.correctness) < least && std::abs(technique - other.technique) < least &&
           std::abs(performance - other.performance) < least && std::abs(max - other.max) < least &&
           state == other.state && sha256 == other.sha256;
}

std::string kit_of(const Json& tool) {
    const std::string git = tool.value("git", "");
    return tool.value("version", "") + (git.empty() ? "" : " " + git);
}

Status LedgerWriter::append(const std::vector<Json>& lines) const {
    if (lines.empty()) return Nothing{};
    const fs::path path = folder / ledger_file;
    const Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file) return cannot_write(path, std::strerror(errno));
    std::string text;
    // What is left of a line that was not written whole is no line.
    char last = '\n';
    const off_t end = lseek(file.get(), 0, SEEK_END);
    if (end > 0 && pread(file.get(), &last, 1, end - 1) == 1 && last != '\n') text += '\n';
    for (const Json& line : lines) {
        Json whole = line;
        whole["when"] = when;
        whole["who"] = who;
        whole["kit"] = version;
        text += json_text(whole) + "\n";
    }
    if (write_all_of(file.get(), text) && fsync(file.get()) == 0) return Nothing{};
    return cannot_write(path, std::strerror(errno));
}

Result<ReadLedger> read_ledger(const fs::path& folder) {
    ReadLedger read;
    std::error_code error;
    if (!fs::exists(folder / ledger_file, error)) return read;
    const auto text = read_whole_file(folder / ledger_file);
    if (!text) return text.error();
    for (std::size_t begin = 0; begin < text->size();) {
        const auto end = std::min(text->find('\n', begin), text->size());
        const auto line = std::string_view(*text).substr(begin, end - begin);
        if (!line.empty() && !take_line(read.ledger, line)) ++read.damaged;
        begin = end + 1;
    }
    return read;
}

Status keep_evidence(const fs::path& folder, const std::string& sha256, const std::string& text) {
    std::error_code error;
    const fs::path path = evidence_path(folder, sha256);
    if (fs::exists(path, error)) return Nothing{};
    return replace_file(path, text, 0600);
}

Result<std::string> find_evidence(const fs::path& folder, const std::string& sha256) {
    auto text = read_whole_file(evidence_path(folder, sha256), 4ull << 20);
    if (text && sha256_hex(*text) != sha256)
        return Diagnostic{.blame = Blame::host,
                          .code = "damaged",
                          .title = "a file that was handed in is damaged",
                          .marks = {},
                          .facts = {evidence_path(folder, sha256).string()},
                          .help = "hand it in again"};
    return text;
}

}  // namespace warpgrade::classroom
