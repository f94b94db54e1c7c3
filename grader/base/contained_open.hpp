// Files inside a folder that somebody else may be changing right now: what is opened lies in the folder at that moment,
// and no link, at any place of its path, leads out.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "base/result.hpp"

namespace warpgrade {

// Closes what it holds. -1: nothing, and errno says why.
class Descriptor {
public:
    explicit Descriptor(int fd = -1) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor();
    int get() const { return fd_; }
    int release() { return std::exchange(fd_, -1); }
    explicit operator bool() const { return fd_ >= 0; }

private:
    int fd_;
};

// A folder that the user named: links on the way to it are the user's own.
Descriptor open_folder(const std::filesystem::path& folder);

// `inside`: relative, without `..`. `flags`: as of open(2); never waits for the other end of a pipe. openat2(2) with
// RESOLVE_BENEATH and without links; where the kernel has none, part by part.
Descriptor open_beneath(const Descriptor& folder, const std::string& inside, int flags);
Descriptor open_beneath_by_parts(const Descriptor& folder, const std::string& inside, int flags);

// "a folder", "a named pipe" ...: for what is not a regular file.
std::string kind_of_file(mode_t mode);

// The bytes of a regular file, at most so many. Error: host: what it is instead, or the system's reason.
Result<std::string> read_descriptor(const Descriptor& file, const std::string& shown, std::uint64_t most_bytes);

}  // namespace warpgrade
