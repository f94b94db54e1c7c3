// Graded stages by content: what was graded once is not graded again, by whichever run and for whichever student.
//
// Theory of operation. What is measured of a stage depends on the source's bytes, the course, the tool, the device and
// the seed, and on nothing else: the file has the same path in every student's folder. A key is the digest of all of
// that; points and titles are not in it, and are brought up to date where a result is read (grade/rescore.hpp). An
// entry is the stage's result JSON, written whole or not at all. A student's result is put together from entries, so
// after an interruption the same bytes come out as without it, and untouched stubs cost one grading a class.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/result.hpp"

namespace warpgrade::classroom {

class StageStore {
public:
    explicit StageStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // A damaged entry is removed, as if it had never been.
    bool has(const std::string& key) const;
    std::optional<nlohmann::ordered_json> find(const std::string& key) const;
    // Error: host.
    Status keep(const std::string& key, const nlohmann::ordered_json& stage) const;

private:
    std::optional<std::string> read(const std::string& key) const;
    std::filesystem::path path_of(const std::string& key) const { return folder_ / (key + ".json"); }
    std::filesystem::path folder_;
};

// Of the files that decide what the stages of an assignment give, but for assignment.toml itself (measuring_text): the
// problems, the reference solutions, the shipped headers, the GPU profiles. `root`: the kit's folder.
std::string course_digest(const std::string& root, const std::string& assignment);

}  // namespace warpgrade::classroom
