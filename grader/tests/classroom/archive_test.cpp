#include "classroom/archive.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/files.hpp"
#include "classroom/libarchive.hpp"
#include "classroom/zip_bytes.hpp"
#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::classroom;

namespace {

namespace fs = std::filesystem;

// The worker is the program itself; a test executable has no such verb.
struct Folder {
    Folder() {
        setenv("WARPGRADE_WORKER", WARPGRADE_BINARY, 1);
        path = fs::temp_directory_path() / ("warpgrade-archive-" + std::to_string(getpid()));
        fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }
    std::string write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path / name, std::ios::binary) << bytes;
        return (path / name).string();
    }
    fs::path path;
};

bool lacks_libarchive() {
    if (open_libarchive()) return false;
    WARN("skipped: " + open_libarchive().error().facts.front());
    return true;
}

std::vector<std::string> names(const Unpacked& unpacked) {
    std::vector<std::string> all;
    for (const UnpackedFile& file : unpacked.files) all.push_back(file.path);
    return all;
}

}  // namespace

TEST_CASE("archives are known by their names") {
    CHECK(is_archive_name("a.zip"));
    CHECK(is_archive_name("A.TAR.GZ"));
    CHECK_FALSE(is_archive_name("zip"));
    CHECK_FALSE(is_archive_name(".zip"));
    CHECK_FALSE(is_archive_name("4_padding.cu"));
    CHECK(without_archive_suffix("hw.1.tar.gz") == "hw.1");
}

TEST_CASE("a zip's .cu files come out, whatever the names' encoding, litter does not") {
    if (lacks_libarchive()) return;
    const Folder folder;
    const std::string path = folder.write("a.zip", test::ZipBytes()
                                                       .add("hw/4_padding.cu", "one")
                                                       .add("Zo\xc3\xab/1_naive_read.CU", "two", 0100644, 0x800)
                                                       .add("Zo\xeb/2_naive_write.cu", "three")
                                                       .add("hw/notes.txt", "four")
                                                       .add("__MACOSX/hw/._4_padding.cu", "five")
                                                       .add("hw/.git/x.cu", "six")
                                                       .finish());
    const auto unpacked = unpack_sources(path);
    REQUIRE(unpacked);
    REQUIRE(unpacked->files.size() == 4);
    CHECK(unpacked->files[0].path == "hw/4_padding.cu");
    CHECK(unpacked->files[0].bytes == "one");
    CHECK(unpacked->files[1].path == "Zo\xc3\xab/1_naive_read.CU");
    CHECK(unpacked->files[2].bytes == "three");
    CHECK(unpacked->files[3].path == "hw/notes.txt");
    CHECK(unpacked->notes.empty());
}

TEST_CASE("links and paths that lead out are left out, with a note, an archive inside comes out as it is") {
    if (lacks_libarchive()) return;
    const Folder folder;
    const std::string path = folder.write("a.zip", test::ZipBytes()
                                                       .add("../../4_padding.cu", "one")
                                                       .add("/etc/1_naive_read.cu", "two")
                                                       .add("5_coarsening.cu", "/etc/passwd", 0120777)
                                                       .add("inner.zip", "three")
                                                       .add("3_corner_turning.cu", "four")
                                                       .finish());
    const auto unpacked = unpack_sources(path);
    REQUIRE(unpacked);
    // Of a path from the root on, as some programs store it, the rest is the name.
    CHECK(names(*unpacked) == std::vector<std::string>{"etc/1_naive_read.cu", "inner.zip", "3_corner_turning.cu"});
    REQUIRE(unpacked->notes.size() == 2);
    CHECK(unpacked->left_out.size() == 2);
    CHECK(unpacked->notes[0] == "`../../4_padding.cu` was left out: its path leads out of the archive");
    CHECK(unpacked->notes[1] == "`5_coarsening.cu` was left out: it is a symbolic link");
}

TEST_CASE("what cannot be read is the hand-in's fault, and is said in a sentence") {
    if (lacks_libarchive()) return;
    const Folder folder;
    const std::string whole = test::ZipBytes().add("4_padding.cu", std::string(5000, 'x')).finish();
    for (const std::string& bytes : {std::string("not an archive"), std::string(), whole.substr(0, 3000)}) {
        const auto unpacked = unpack_sources(folder.write("a.zip", bytes));
        REQUIRE(!unpacked);
        CHECK(unpacked.error().blame == Blame::learner);
        CHECK(unpacked.error().title.size() > 10);
    }
}

TEST_CASE("an archive that unpacks to more than it may is stopped") {
    if (lacks_libarchive()) return;
    const Folder folder;
    // Few bytes of gzip, 200 MB of text: each file is cut at the limit, and the sum has one of its own.
    std::vector<ArchiveMember> members;
    for (int i = 0; i < 10; ++i) members.push_back({std::to_string(i) + "_x.cu", std::string(20 << 20, ' ')});
    const std::string bomb = (folder.path / "bomb.tar.gz").string();
    REQUIRE(write_tar_gz(bomb, members));
    CHECK(fs::file_size(bomb) < 1 << 20);
    const auto cut = unpack_sources(bomb);
    REQUIRE(cut);
    for (const UnpackedFile& file : cut->files) CHECK(file.bytes.size() == (1 << 20) + 1);
    UnpackLimits limits;
    limits.unpacked_bytes = 5 << 20;
    const auto stopped = unpack_sources(bomb, limits);
    REQUIRE(!stopped);
    CHECK(stopped.error().title == "its files are larger than 5 MiB");
    limits = {};
    limits.sources = 3;
    const auto many = unpack_sources(bomb, limits);
    REQUIRE(!many);
    CHECK(many.error().title == "it holds more than 3 .cu files");
}

TEST_CASE("a written archive has the same bytes whenever and from whatever order it is made") {
    if (lacks_libarchive()) return;
    const Folder folder;
    const std::string first = (folder.path / "1.tar.gz").string(), second = (folder.path / "2.tar.gz").string();
    REQUIRE(write_tar_gz(first, {{"b.cu", "two"}, {"a.cu", "one", true}}));
    REQUIRE(write_tar_gz(second, {{"a.cu", "one", true}, {"b.cu", "two"}}));
    CHECK(*read_whole_file(first) == *read_whole_file(second));
    const auto unpacked = unpack_sources(first);
    REQUIRE(unpacked);
    CHECK(names(*unpacked) == std::vector<std::string>{"a.cu", "b.cu"});
}
