// Approved text: golden/cli/<name>.txt. WARPGRADE_BLESS=1 rewrites what differs; look at the diff before committing.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "support/catch.hpp"

namespace warpgrade::test {

inline std::string file_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline void check_golden(const std::string& name, const std::string& actual) {
    const std::filesystem::path path =
        std::filesystem::path(WARPGRADE_SOURCE_DIR) / "grader/tests/golden/cli" / (name + ".txt");
    const std::string expected = file_text(path);
    const char* bless = std::getenv("WARPGRADE_BLESS");
    if (expected != actual && bless != nullptr && std::string(bless) == "1") {
        std::ofstream(path, std::ios::binary) << actual;
        WARN("rewrote " << path.string());
        return;
    }
    INFO("approved text: " << path.string() << " (WARPGRADE_BLESS=1 rewrites it)");
    CHECK(actual == expected);
}

// Files in a folder of their own, which is the current folder while the object lives.
class CurrentFolder {
public:
    CurrentFolder() : before_(std::filesystem::current_path()) {
        std::string pattern = (std::filesystem::temp_directory_path() / "warpgrade.XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        folder_ = pattern;
        std::filesystem::current_path(folder_);
    }
    ~CurrentFolder() {
        std::error_code error;
        std::filesystem::current_path(before_, error);
        std::filesystem::remove_all(folder_, error);
    }
    CurrentFolder(const CurrentFolder&) = delete;
    CurrentFolder& operator=(const CurrentFolder&) = delete;

    void write(const std::string& path, const std::string& text) const {
        const std::filesystem::path full = folder_ / path;
        std::filesystem::create_directories(full.parent_path());
        std::ofstream(full, std::ios::binary) << text;
    }
    const std::filesystem::path& path() const { return folder_; }

private:
    std::filesystem::path before_;
    std::filesystem::path folder_;
};

}  // namespace warpgrade::test
