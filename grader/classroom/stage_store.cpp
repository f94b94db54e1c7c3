#include "classroom/stage_store.hpp"

#include <algorithm>
#include <vector>

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "base/sha256.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void add_folder(Sha256& hash, const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->is_regular_file(error)) files.push_back(at->path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        hash.add_field(file.lexically_relative(folder).string());
        const auto text = read_whole_file(file);
        hash.add_field(text ? *text : "unreadable");
    }
}

}  // namespace

// The first line is the digest of the rest: a disk that was full or a person's edit must not become a mark.
std::optional<std::string> StageStore::read(const std::string& key) const {
    auto text = read_whole_file(path_of(key), 256ull << 20);
    if (!text) return std::nullopt;
    const auto end = text->find('\n');
    if (end == 64 && text->substr(0, end) == sha256_hex(key + text->substr(end + 1))) return text->substr(end + 1);
    std::error_code ignored;
    fs::remove(path_of(key), ignored);
    return std::nullopt;
}

bool StageStore::has(const std::string& key) const { return read(key).has_value(); }

std::optional<Json> StageStore::find(const std::string& key) const {
    const auto text = read(key);
    if (!text) return std::nullopt;
    return Json::parse(*text);
}

Status StageStore::keep(const std::string& key, const Json& stage) const {
    const std::string text = json_text(stage);
    return replace_file(path_of(key), sha256_hex(key + text) + "\n" + text);
}

std::string course_digest(const std::string& root, const std::string& assignment) {
    Sha256 hash;
    const fs::path folder(root);
    // A stage may name the problem of another folder.
    std::vector<fs::path> problems;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder / "assignments", error))
        if (fs::is_regular_file(entry.path() / "problem.toml", error)) problems.push_back(entry.path());
    std::sort(problems.begin(), problems.end());
    for (const fs::path& problem : problems)
        for (const char* name : {"problem.toml", "problem.cu"}) {
            const auto text = read_whole_file(problem / name);
            hash.add_field(text ? *text : "");
        }
    add_folder(hash, folder / "solutions" / assignment);
    add_folder(hash, folder / "grader" / "compile" / "include");
    add_folder(hash, folder / "grader" / "profiles");
    add_folder(hash, folder / "grader" / "explain" / "rules");
    return hash.hex();
}

}  // namespace warpgrade::classroom
