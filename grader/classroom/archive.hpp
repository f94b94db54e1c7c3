// Archives that students hand in: zip, tar (plain, gz, bz2, xz, zst), 7z and rar, by libarchive, which is opened at run
// time (CMake brings it along on Debian), so that nothing is linked.
//
// Theory of operation. An archive is read in a worker process that may read that one file, write nothing and use
// little time and memory. Nothing is ever written under a name from the archive: the worker sends the text of the .cu
// files back, and who receives it decides where it goes. So a path that leads out, a link or a bomb have nothing to
// work on.
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
};

struct Unpacked {
    std::vector<std::pair<std::string, std::string>> sources;  // path inside, text; .cu files only
    std::vector<std::string> notes;                            // what was left out, one sentence each
};

// True for names that end as archives do.
bool is_archive_name(const std::string& name);
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
