// What was handed in as a tree of folders, archives and files, wherever they lie: an archive is opened as a folder is,
// also one inside another, so that who reads a class never asks which of the two it is.
//
// Theory of operation. A node is opened when somebody wants to know what is in it. On the disk every folder and file is
// opened below the folder that the user named (base/contained_open.hpp), however a student changes it meanwhile; an
// archive is copied, and the copy is read in a worker (archive.hpp). What comes out of archives stays in memory, in
// packed form until it is wanted. A budget bounds what one hand-in may hold, archives inside archives included.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/contained_open.hpp"
#include "base/result.hpp"
#include "classroom/archive.hpp"

namespace warpgrade::classroom {

// In the folder that `grade` writes to: by these it is known when it lies among hand-ins.
inline constexpr const char* graded_lock = ".lock";
inline constexpr const char* graded_store = ".store";

struct Budget {
    int archives = 64;  // opened, at any level
    int depth = 3;      // of archives in archives
    int entries = 50'000;
    int sources = 500;
    std::uint64_t source_bytes = 64ull << 20;  // of all .cu files together
    std::uint64_t other_bytes = 8ull << 20;    // of files that may be CUDA by content
    std::uint64_t inner_bytes = 256ull << 20;  // of archives inside archives
    // Of the archive that a platform makes of a whole class.
    static Budget of_class();
};

struct Node {
    enum class Kind { folder, archive, file };
    Kind kind = Kind::folder;
    std::string name;        // as UTF-8
    std::string bytes_name;  // as it is written on the disk
    bool is_on_disk = true;
    std::filesystem::path base;         // on the disk: the folder that the user named
    std::string inside;                 // and the path below it; empty: the folder itself
    std::string bytes;                  // not on the disk: of a file or an archive
    bool is_read = true;                // not on the disk: false where a file is only named
    int archive_depth = 0;              // archives around it
    bool is_open = false;               // `children` are known
    std::vector<Node> children;         // sorted by name
    std::string problem;                // why it cannot be opened; a sentence without a full stop
    std::vector<std::string> notes;     // what was left out of it
    std::vector<std::string> left_out;  // names of files that were there and were not read
};

// A folder, archive or file that the user named.
Node node_at(const std::filesystem::path& path);

bool is_hidden(const std::string& name);
// What systems and tools leave in folders.
bool is_litter(const std::string& name);

// Makes the children known. Error: host: no libarchive, no scratch.
Status open_node(Node& node, const std::filesystem::path& scratch, Budget& budget);

// The bytes of a file, at most one more than the grader takes. Error: host, with the reason.
Result<std::string> read_node(const Node& node);

}  // namespace warpgrade::classroom
