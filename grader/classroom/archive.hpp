// Archives that students hand in: zip, tar (plain, gz, bz2, xz, zst), 7z and rar, by libarchive, which is opened at run
// time (CMake brings it along on Debian), so that nothing is linked.
//
// Theory of operation. An archive is read in a worker process that may read that one file, write nothing and use
// little time and memory. Nothing is ever written under a name from the archive: the worker sends back what its files
// hold that may be source text, and archives inside as they are, and who receives it decides where it goes. So a path
// that leads out, a link or a bomb have nothing to work on. An archive inside is read by another worker, from a budget
// that all of a hand-in share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace warpgrade::classroom {

struct UnpackLimits {
    int cpu_seconds = 20;
    std::uint64_t memory_bytes = 1ull << 30;     // address space
    std::uint64_t unpacked_bytes = 64ull << 20;  // of all .cu files together
    int entries = 20'000;
    int sources = 500;                              // .cu files
    std::uint64_t source_bytes = (1ull << 20) + 1;  // the rest of a longer one is dropped: too long to be graded
    std::uint64_t inner_bytes = 128ull << 20;       // of archives inside, packed as they are
    std::uint64_t other_bytes = 8ull << 20;         // of files with other names that may hold source text
};

struct UnpackedFile {
    std::string path;  // inside
    std::string bytes;
    bool is_read = true;  // false: of another kind, or one too many
};
struct Unpacked {
    std::vector<UnpackedFile> files;
    std::vector<std::string> notes;     // what was left out, one sentence each
    std::vector<std::string> left_out;  // its paths
};

// What a file's name says that it is, by its suffix.
enum class FileKind {
    source,  // .cu
    text,    // may hold CUDA source all the same: .txt, .cpp, .html, none, ...
    archive,
    other,
};
FileKind kind_of(const std::string& name);

// ".4_padding.cu", "._4_padding.cu", ".4_padding.cu.swp": what a system or an editor keeps beside a program. `name`:
// without folders.
bool is_kept_beside(const std::string& name);

// True for names that end as archives do; also those of one packed file, "4_padding.cu.gz".
bool is_archive_name(const std::string& name);
// True for those of one packed file alone.
bool is_packed_file_name(const std::string& name);
// "hw3.tar.gz" -> "hw3"
std::string without_archive_suffix(const std::string& name);

// Error: the archive cannot be read (learner: broken, encrypted, over a limit; the title says it after the file's
// name), no libarchive (host), a defect (kit).
Result<Unpacked> unpack_sources(const std::string& path, const UnpackLimits& limits = {});

// What the worker does, in this process: of the limits, not those of time and memory.
Result<Unpacked> read_archive(const std::string& path, const UnpackLimits& limits);

// Body of the hidden verb `unpack-worker`.
int unpack_worker_main();

// A .tar.gz whose bytes depend on nothing but its members: sorted by name, no times, no owners. Error: host.
struct ArchiveMember {
    std::string name;
    std::string bytes;
    bool is_executable = false;
};
Status write_tar_gz(const std::string& path, std::vector<ArchiveMember> members);

}  // namespace warpgrade::classroom
