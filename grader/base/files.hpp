// Whole files: read with a cap and without waiting for what is none (a pipe), replaced so that a reader, or the next
// run after a crash, sees the old one or the new.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace warpgrade {

// Error: host, with the system's reason; also when the file has more than `most_bytes`.
Result<std::string> read_whole_file(const std::filesystem::path& path, std::uint64_t most_bytes = 1ull << 30);

// The same of a file's first bytes, at most so many.
Result<std::string> read_start_of_file(const std::filesystem::path& path, std::uint64_t most_bytes);

// For a name that the user gave and that is no file's: there is none, or it is something else. Blame: usage.
Diagnostic not_a_file(const std::filesystem::path& path, std::string help);

// What is lost when the machine stops is made again, or not.
enum class Flush { to_disk, never };

// Writes beside the file, flushes to the disk, renames, flushes the folder. Makes the folders above. `mode`: who may
// read it, as far as the umask lets them. Error: host.
Status replace_file(const std::filesystem::path& path, std::string_view bytes, mode_t mode = 0666,
                    Flush flush = Flush::to_disk);
// What `replace_file` writes to before it renames: it is left where the process was killed meanwhile.
bool is_half_written(const std::filesystem::path& path);

}  // namespace warpgrade
