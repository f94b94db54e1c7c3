// A copy of the course to break: assignments and solutions, in a folder of its own.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "compile/support.hpp"
#include "course/assignment.hpp"
#include "course/source_text.hpp"
#include "support/catch.hpp"

namespace warpgrade::test {

namespace fs = std::filesystem;

class CourseCopy {
public:
    CourseCopy() {
        for (const char* folder : {"assignments", "solutions"})
            fs::copy(fs::path(WARPGRADE_SOURCE_DIR) / folder, root() / folder, fs::copy_options::recursive);
    }

    fs::path root() const { return folder_.path(); }

    std::string read(const std::string& path) const {
        std::ifstream file(root() / path, std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }
    void write(const std::string& path, const std::string& text) const {
        fs::create_directories((root() / path).parent_path());
        std::ofstream(root() / path, std::ios::binary) << text;
    }
    // The first place of `from`, which has to be there.
    void replace(const std::string& path, const std::string& from, const std::string& to) const {
        std::string text = read(path);
        const auto at = text.find(from);
        INFO(path << ": " << from);
        REQUIRE(at != std::string::npos);
        write(path, text.replace(at, from.size(), to));
    }
    void remove(const std::string& path) const { REQUIRE(fs::remove(root() / path)); }
    // After a stub was changed on purpose.
    void record_digest(const std::string& stub) const {
        const std::string original = read_original(stub);
        replace(fs::path(stub).parent_path().string() + "/assignment.toml", text_digest(original),
                text_digest(read(stub)));
    }

    std::vector<Assignment> load() const {
        auto course = load_course(root().string());
        INFO((course ? "" : course.error().title));
        REQUIRE(course);
        return std::move(*course);
    }

private:
    static std::string read_original(const std::string& path) {
        std::ifstream file(fs::path(WARPGRADE_SOURCE_DIR) / path, std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }
    TemporaryFolder folder_;
};

}  // namespace warpgrade::test
