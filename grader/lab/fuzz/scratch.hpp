// A folder of this process's own, in memory where there is such a folder, for what is read from disk only.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace warpgrade::fuzz {

inline const std::filesystem::path& scratch() {
    static const struct Folder {
        Folder() {
            const std::filesystem::path memory = "/dev/shm";
            path = (std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path()) /
                   ("warpgrade-fuzz-" + std::to_string(getpid()));
            std::filesystem::create_directories(path);
        }
        ~Folder() {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
        std::filesystem::path path;
    } made;
    return made.path;
}

inline std::string scratch_file(const std::filesystem::path& name, std::string_view bytes) {
    const std::filesystem::path path = scratch() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
}

}  // namespace warpgrade::fuzz
