// Whole files: read with a cap, replaced so that a reader, or the next run after a crash, sees the old one or the new.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace warpgrade {

// Error: host, with the system's reason; also when the file has more than `most_bytes`.
Result<std::string> read_whole_file(const std::filesystem::path& path, std::uint64_t most_bytes = 1ull << 30);

// The same, but of a longer file only the beginning. A symbolic link is an error.
Result<std::string> read_start_of_file(const std::filesystem::path& path, std::uint64_t most_bytes);

// Writes beside the file, flushes to the disk, renames, flushes the folder. Makes the folders above. Error: host.
Status replace_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace warpgrade
