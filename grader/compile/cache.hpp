// What is worked out once and kept by content: compiled PTX, the modelled times of reference solutions. An entry that
// cannot be read, whose checksum is wrong, or that another user wrote or may write, is as good as absent: who writes
// entries decides marks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade {

inline constexpr const char* store_variable = "WARPGRADE_STORE";

class ContentCache {
public:
    static constexpr std::uint64_t default_capacity_bytes = 256ull << 20;

    // An empty folder: nothing is found and nothing is kept.
    explicit ContentCache(std::filesystem::path folder, std::uint64_t capacity_bytes = default_capacity_bytes)
        : folder_(std::move(folder)), capacity_bytes_(capacity_bytes) {}

    // $WARPGRADE_STORE, which `grade` sets for its workers: compiled files decide marks, so a class has its own. Else
    // $WARPGRADE_CACHE (empty: off), else ${XDG_CACHE_HOME:-~/.cache}/warpgrade; entries live in ptx/ below.
    static ContentCache of_user();

    std::optional<std::string> find(const std::string& key) const;

    // Written beside and renamed, so a reader sees all of an entry or none. Failures to write are not errors. Now and
    // then the oldest entries go, until the rest fits the capacity.
    void keep(const std::string& key, std::string_view value) const;

    const std::filesystem::path& folder() const { return folder_; }

private:
    void trim() const;

    std::filesystem::path folder_;
    std::uint64_t capacity_bytes_;
};

}  // namespace warpgrade
