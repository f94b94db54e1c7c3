#include "base/contained_open.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <thread>

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

namespace fs = std::filesystem;

struct Folder {
    Folder() {
        path = fs::temp_directory_path() / ("warpgrade-beneath-" + std::to_string(getpid()));
        fs::remove_all(path);
        fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((path / name).parent_path());
        std::ofstream(path / name, std::ios::binary) << text;
    }
    fs::path path;
};

using Open = Descriptor (*)(const Descriptor&, const std::string&, int);
constexpr Open both[] = {open_beneath, open_beneath_by_parts};

}  // namespace

TEST_CASE("what is beneath a folder is opened, and nothing else") {
    const Folder folder;
    folder.write("outside", "secret");
    folder.write("own/a/b.cu", "text");
    fs::create_symlink("../outside", folder.path / "own" / "link");
    fs::create_directory_symlink("a", folder.path / "own" / "folder_link");
    const Descriptor own = open_folder(folder.path / "own");
    REQUIRE(own);
    for (const Open open : both) {
        CHECK(*read_descriptor(open(own, "a/b.cu", O_RDONLY), "b.cu", 100) == "text");
        CHECK(*read_descriptor(open(own, "a/b.cu", O_RDONLY), "b.cu", 2) == "te");
        CHECK(open(own, "a", O_RDONLY | O_DIRECTORY));
        CHECK(open(own, ".", O_RDONLY | O_DIRECTORY));
        for (const char* path : {"link", "folder_link", "folder_link/b.cu", "../outside", "a/../../outside",
                                 "a/../a/../../outside", "/etc/passwd", "", "absent"})
            CHECK_FALSE(open(own, path, O_RDONLY));
        CHECK_FALSE(open(own, (folder.path / "outside").string(), O_RDONLY));
        const Descriptor link = open(own, "link", O_RDONLY);
        CHECK(errno == ELOOP);
    }
}

TEST_CASE("a pipe makes nobody wait and is no file") {
    const Folder folder;
    REQUIRE(mkfifo((folder.path / "pipe").c_str(), 0600) == 0);
    const Descriptor own = open_folder(folder.path);
    for (const Open open : both) {
        const auto read = read_descriptor(open(own, "pipe", O_RDONLY), "pipe", 10);
        REQUIRE(!read);
        CHECK(read.error().facts.front() == "it is a named pipe, not a file");
    }
}

TEST_CASE("a folder that is exchanged for a link all the while is never followed") {
    const Folder folder;
    folder.write("solutions/4_padding.cu", "secret");
    folder.write("own/transpose/4_padding.cu", "mine");
    fs::create_directory_symlink(folder.path / "solutions", folder.path / "own" / "link");
    const std::string one = (folder.path / "own" / "transpose").string(),
                      other = (folder.path / "own" / "link").string();
    std::atomic<bool> goes_on{true};
    std::thread swaps([&] {
        while (goes_on) renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
    });
    const Descriptor own = open_folder(folder.path / "own");
    int mine = 0, refused = 0, secret = 0;
    for (int attempt = 0; attempt < 400'000 && (attempt < 4000 || mine == 0 || refused == 0); ++attempt) {
        const auto read = read_descriptor(both[attempt % 2](own, "transpose/4_padding.cu", O_RDONLY), "x", 100);
        ++(!read ? refused : *read == "mine" ? mine : secret);
    }
    goes_on = false;
    swaps.join();
    CHECK(secret == 0);
    CHECK(mine > 0);
    CHECK(refused > 0);
}
